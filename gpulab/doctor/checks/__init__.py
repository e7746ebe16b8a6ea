"""What the facts mean for gpulab: each module turns some of them into checks, and looks at nothing itself."""
