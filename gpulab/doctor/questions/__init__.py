"""What is asked in a process of its own.

Each prints what it finds as soon as it has it, so that a crash or a hang loses only the rest.
They need the standard library only, and import what they ask about by name: nothing of it comes in with gpulab.
"""
