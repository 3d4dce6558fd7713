"""A file of any content, as tests of readers give it."""

import pytest


@pytest.fixture
def file(tmp_path):
    def write(content, name="scores.csv"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write
