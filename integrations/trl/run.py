# /// script
# requires-python = ">=3.11"
# dependencies = ["quintet-games", "torch==2.13.0", "trl==1.16.0"]
#
# [tool.uv.sources]
# quintet-games = { path = "../..", editable = true }
# ///
"""256 rollouts at once in TRL's GRPOTrainer, with scripted agents; then a few steps of training.

The model is made here, with random weights, and so is its tokenizer: nothing is downloaded. The chat template is that
of Qwen 3, as TRL brings it.
"""

import os
import random
import re
import sys
import tempfile
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1]))
os.environ |= {"TRL_EXPERIMENTAL_SILENCE": "1", "HF_HUB_OFFLINE": "1"}

import torch
import trl
from datasets import Dataset
from environment import QuintetEnv
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import PreTrainedTokenizerFast, Qwen3Config, Qwen3ForCausalLM
from trl import GRPOConfig, GRPOTrainer

from scripted import GAMES, Answer, Row, Transcript, check, make_rows, run_example

torch.set_num_threads(1)
torch.manual_seed(1)
TEMPLATE = (Path(trl.__file__).parent / "chat_templates/qwen3.jinja").read_text()
CALL = '<tool_call>\n{"name": "move", "arguments": {"cell": "CELL"}}\n</tool_call><|im_end|>'
MARKS = ["<|im_end|>", "<|endoftext|>", "<|im_start|>", "<think>", "</think>", "<tool_call>", "</tool_call>"]
START = {"prompt": [{"role": "user", "content": ""}]}
"""The game's first prompt comes after it."""


def make_tokenizer(texts: list[str]) -> PreTrainedTokenizerFast:
    """A tokenizer of bytes and of pieces that are frequent in these texts."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    tokenizer.train_from_iterator(texts, trainers.BpeTrainer(vocab_size=800, initial_alphabet=alphabet))
    tokenizer.add_tokens(MARKS[3:])
    made = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, eos_token=MARKS[0], pad_token=MARKS[1], extra_special_tokens=MARKS[2:3]
    )
    made.chat_template = TEMPLATE
    return made


def make_trainer(kind: type[GRPOTrainer], rows: list[Row], **options: object) -> GRPOTrainer:
    """A trainer of a tiny model on these games."""
    texts = [QuintetEnv().reset(**row) for row in rows[:16]]
    tokenizer = make_tokenizer([*texts, CALL])
    shape = {"hidden_size": 16, "intermediate_size": 32, "num_hidden_layers": 1, "head_dim": 8}
    model = Qwen3ForCausalLM(
        Qwen3Config(vocab_size=len(tokenizer), num_attention_heads=2, num_key_value_heads=1, **shape)
    )
    return kind(
        model=model,
        processing_class=tokenizer,
        train_dataset=Dataset.from_list([START | row for row in rows]),
        environment_factory=QuintetEnv,
        args=GRPOConfig(
            output_dir=tempfile.mkdtemp(),
            report_to="none",
            use_cpu=True,
            save_strategy="no",
            disable_tqdm=True,
            **options,
        ),
    )


class Scripted(GRPOTrainer):
    """A trainer whose model's words are written by a scripted agent."""

    answer: Answer
    rewards: list[float]
    texts: list[list[str]]

    def _generate_single_turn(self, prompt_ids, *rest, **options):
        """A tool call with the script's move, for every prompt; after the end of a game, no further call."""
        words = [self._say(text) for text in self._tokenizer.batch_decode(prompt_ids)]
        return [self._tokenizer(text)["input_ids"] for text in words], None

    def _say(self, text: str) -> str:
        last = re.findall(r"<\|im_start\|>user\n(.*?)<\|im_end\|>", text, re.DOTALL)[-1]
        told = re.sub(r"^<tool_response>\n|\n</tool_response>$", "", last)
        if told.startswith("The game is over."):
            return "Good game.<|im_end|>"
        return CALL.replace("CELL", self.answer(told).removeprefix("MOVE: "))

    def _calculate_rewards(self, inputs, prompts, completions, ids):
        """The trainer's rewards, and what each rollout read."""
        rewards = super()._calculate_rewards(inputs, prompts, completions, ids)
        self.rewards = rewards.sum(1).tolist()
        told = [[part["content"] for part in completion if part["role"] == "tool"] for completion in completions]
        self.texts = [[prompt[-1]["content"], *texts[:-1]] for prompt, texts in zip(prompts, told, strict=True)]
        return rewards


def play(rows: list[Row], answer: Answer) -> list[Transcript]:
    """A batch of rollouts and its rewards, as in a step of training."""
    trainer = make_trainer(Scripted, rows, per_device_train_batch_size=GAMES, max_completion_length=20_000)
    trainer.answer = answer
    trainer._generate_and_score_completions([START | row for row in rows])
    return [Transcript(texts, [reward]) for texts, reward in zip(trainer.texts, trainer.rewards, strict=True)]


check(play, per_turn=False)
rows = [row for row in make_rows("regret") if row["player"] == 1][:4]
trainer = make_trainer(
    Scripted, rows, per_device_train_batch_size=8, max_completion_length=20_000, max_steps=2, logging_steps=1
)
rng = random.Random(1)
trainer.answer = lambda text: rng.choice(re.findall(r"Your legal moves: (.*)\.", text)[-1].split(", "))
trainer.train()
steps = [step for step in trainer.state.log_history if "reward" in step]
print("steps of training:", *(f"reward {step['reward']:+.3f}, gradient {step['grad_norm']:.4f};" for step in steps))
assert len(steps) == 2 and all(step["reward"] < 0 < step["grad_norm"] for step in steps)

trainer = make_trainer(
    GRPOTrainer, rows, per_device_train_batch_size=8, max_completion_length=8, max_steps=1, logging_steps=1
)
trainer.train()
assert trainer.state.log_history[0]["reward"] == -1, "a model that makes no move loses every game"
run_example(
    "TRL",
    {
        '"out"': repr(tempfile.mkdtemp()),
        "max_completion_length=4_000, max_steps=500": "max_completion_length=8, max_steps=1, use_cpu=True",
    },
    model=trainer.model,
    tokenizer=trainer.processing_class,
)
