"""What all tests need of their process."""

import signal


def pytest_configure() -> None:
    """Ctrl-C is heard, also where the tests were started in the background: a shell starts what is
    to run there with the signal ignored, and Python then leaves it so."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
