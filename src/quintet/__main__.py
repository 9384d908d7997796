"""The program as a module: `python -m quintet`."""

from quintet.cli import main

if __name__ == "__main__":
    main()
