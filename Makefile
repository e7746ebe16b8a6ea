# Every target is a ./lab command: make is a convenience, never needed.
.PHONY: lab env test test-gpu check verify bench pictures fuzz test-pythons wheel

lab:
	@./lab

env test test-gpu check verify bench pictures fuzz test-pythons wheel:
	@./lab $@
