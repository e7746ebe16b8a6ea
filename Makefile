# Every target is a ./lab command: make is a convenience, never needed.
.PHONY: lab env test check verify bench fuzz test-pythons wheel

lab:
	@./lab

env test check verify bench fuzz test-pythons wheel:
	@./lab $@
