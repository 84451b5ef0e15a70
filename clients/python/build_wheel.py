"""Builds the wheel (PEP 517, PEP 427) with the standard library: python3 build_wheel.py <folder>."""
import base64
import hashlib
import re
import sys
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
PROJECT = dict(re.findall(r'^([\w-]+) = "(.+)"$', (HERE / "pyproject.toml").read_text(), re.M))
VERSION = PROJECT["version"]
NAME = f"ramal-{VERSION}"
METADATA = f"""Metadata-Version: 2.1
Name: ramal
Version: {VERSION}
Summary: {PROJECT["description"]}
License: MIT
Requires-Python: {PROJECT["requires-python"]}
Description-Content-Type: text/markdown

"""
WHEEL = "Wheel-Version: 1.0\nGenerator: build_wheel\nRoot-Is-Purelib: true\nTag: py3-none-any\n"


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    files = {f"ramal/{path.name}": path.read_bytes() for path in sorted((HERE / "ramal").glob("*.py*")) if path.is_file()}
    files["ramal/py.typed"] = b""
    files[f"{NAME}.dist-info/LICENSE"] = (HERE.parents[1] / "LICENSE").read_bytes()
    files[f"{NAME}.dist-info/METADATA"] = METADATA.encode() + (HERE / "README.md").read_bytes()
    files[f"{NAME}.dist-info/WHEEL"] = WHEEL.encode()
    record = f"{NAME}.dist-info/RECORD"
    lines = [f"{name},sha256={_digest(content)},{len(content)}" for name, content in files.items()]
    files[record] = ("\n".join([*lines, f"{record},,"]) + "\n").encode()
    wheel = f"{NAME}-py3-none-any.whl"
    with zipfile.ZipFile(Path(wheel_directory) / wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            # A fixed time: the same sources make the same wheel.
            archive.writestr(zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0)), content, zipfile.ZIP_DEFLATED)
    return wheel


def _digest(content):
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()


if __name__ == "__main__":
    print(build_wheel(sys.argv[1]))
