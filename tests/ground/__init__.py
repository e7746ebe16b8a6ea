"""The ground: ./lab on machines of all kinds, the wheel, the house style and what importing costs."""
