# /// script
# requires-python = ">=3.11"
# dependencies = ["quintet-games[gymnasium,pettingzoo]", "tianshou==2.0.1", "torch==2.13.0"]
#
# [tool.uv.sources]
# quintet-games = { path = "../..", editable = true }
# ///
import sys
import torch

print(sys.version, sys.prefix, torch.__version__)
