.PHONY: check test bench snapshots

check: ## style, types, layers, tests
	ruff check .
	ruff format --check .
	mypy
	lint-imports
	pytest

test:
	pytest

bench: ## ratios against baselines; nothing here fails on time
	python -m benchmarks

snapshots: ## accept the screens as they are now
	QUIZAPP_SNAPSHOTS=write pytest tests/tui/test_snapshots.py
