# /// script
# requires-python = ">=3.11"
# dependencies = ["quintet-games[gymnasium,pettingzoo]", "ray[rllib]==2.60.0", "torch==2.13.0"]
#
# [tool.uv.sources]
# quintet-games = { path = "../..", editable = true }
# ///
import sys
import torch

print(sys.version, sys.prefix, torch.__version__)
