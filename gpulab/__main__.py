"""`python -m gpulab` is `gpulab`."""

from gpulab.cli import main

if __name__ == "__main__":
    main()
