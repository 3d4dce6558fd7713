"""The lecturer's kit: what the good sample of a project says is what its calls give."""

import re
import textwrap

import pytest
from texts import code_of, read_page


@pytest.mark.slow
def test_the_code_of_the_good_sample_prints_its_numbers(capsys):
    _, _, samples = read_page("lecturers/project").partition("## Sample A\n")
    text = re.sub("(?m)^> ?", "", samples.partition("\n## ")[0])
    (code,) = code_of(text)
    exec(textwrap.dedent(code), {})
    printed = [float(number) for number in re.findall(r"\d\.\d+", capsys.readouterr().out)]
    prose = " ".join(text.split()).partition("*What is not")[0]
    thousandths = {float(number) for number in re.findall(r"\.\d{3}\b", prose)}
    assert thousandths and thousandths <= {round(number, 3) for number in printed}
    percent = {int(share) / 100 for share in re.findall(r"(\d\d)%", prose)} - {0.95}
    assert percent <= {round(number, 2) for number in printed}
