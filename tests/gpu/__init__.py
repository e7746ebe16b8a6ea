"""The GPU engine: its logic over a double of a card, and on a card where there is one."""
