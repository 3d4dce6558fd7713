"""Variants: the course on other draws of the simulated campaign, so that answers are not shared."""

from __future__ import annotations

import hashlib
import re
import secrets
import tempfile
from pathlib import Path
from typing import Any

import joblib
import pandas as pd

from irstd._base.arguments import check_choice
from irstd._base.messages import needed
from irstd.course import _graders
from irstd.course.answers import solved, updated
from irstd.course.lab import BESIDE, course_folder
from irstd.course.student import FORMATS, OWN, hand_out
from irstd.exercises import COLUMNS, Rows, exercises
from irstd.trec.files import write_files, write_text

DRAWN = re.compile(r"simulate_campaign\(\)")  # without a seed of its own
LECTURER = "lecturer"  # the folder of what students do not get
SECONDS = 600  # that a lesson may take
NOTE = (
    "**Your variant.** The cells of this copy run on a draw of the simulated campaign of its own."
    " So its numbers differ from those in the text, and your answers from those of others."
)


def write_variants(
    target: Path,
    roster: Path,
    secret: Path,
    source: Path | None = None,
    *,
    format: str = "jupyter",
    points: int = 1,
    number: int = 8,
    n_jobs: int = -1,
) -> pd.Series:
    """Write the course in several variants, deal them to students, and say what is expected.

    A variant is the course on another seed of the simulated campaign. Its lessons are run, so that
    what is expected is what the solutions show there.

    Parameters
    ----------
    target : Path
        A new folder. ``variant-1`` and so on go to the students, as `write_student_version` writes
        a course; ``lecturer`` has ``students.csv`` (who has which), ``answers.csv`` (what is
        expected, and whether it varies) and a file of exercises for each variant.
    roster : Path
        A CSV file with a column ``student``, or of one column: a name or number in each line.
    secret : Path
        A file with any text; it is made, with a random one, if it is not there. The seeds, and who
        gets which variant, follow from it: the same again from the same secret, and a student who
        comes later changes nobody's variant.
    source, format, points
        As for `write_student_version`. The copies of students know the form of an answer; whether
        it is right is known to the lecturer's files, and to the hidden tests of a grader.
    number : int, default 8
        Of variants. Each takes as long as to run all lessons, about two minutes of one core.
    n_jobs : int, default -1
        Lessons that are run at a time; -1: as many as there are cores.

    Returns
    -------
    Series by student
        The number of the variant.

    Raises
    ------
    FileExistsError, FileNotFoundError, ValueError
        As `write_student_version`; or if the roster has a line that cannot be used.
    """
    check_choice(format, FORMATS, "format")
    if target.exists() and any(target.iterdir()):
        raise FileExistsError(f"{target} is not empty: give a new folder")
    students = read_roster(roster)
    key = read_secret(secret)
    if source is None:
        source = course_folder()
    lessons = _graders.read_lessons(source, solved=True)
    known = exercises(source / OWN if (source / OWN).exists() else None)
    dealt = pd.Series({name: deal(name, key, number) for name in students}, name="variant")

    with tempfile.TemporaryDirectory() as folder:
        places = [Path(folder, f"variant-{n}") for n in range(1, number + 1)]
        calls = []
        for n, place in enumerate(places, start=1):
            _copy(source, place)
            seed = seed_of(n, key)
            calls += [joblib.delayed(_run)(place / file.name, seed) for file in lessons]
        joblib.Parallel(n_jobs)(calls)
        answers = {n: solved(place) for n, place in enumerate(places, start=1)}
        varying = _which_vary(answers)
        rows = {}
        for n, place in enumerate(places, start=1):
            write_text(updated(answers[n], _without_mistakes(known, varying)), place / OWN)
            rows[n] = exercises(place / OWN)
        for n, place in enumerate(places, start=1):
            others = {m: of for m, of in rows.items() if m != n}
            hand_out(
                target / place.name, place, format, points,
                known=rows[n], others=_of_others(rows[n], others, varying),
                own=_withheld(rows[n], varying),
            )  # fmt: skip
    kept = {f"variant-{n}.csv": _as_csv(of) for n, of in rows.items()}
    _write_sheets(target / LECTURER, dealt, answers, varying, kept)
    return dealt


def read_roster(file: Path) -> list[str]:
    """The students of a roster: the column ``student``, or the only one, each name once."""
    try:
        table = pd.read_csv(file, dtype=str, encoding="utf-8-sig", skip_blank_lines=False)
    except (UnicodeDecodeError, pd.errors.ParserError, pd.errors.EmptyDataError) as error:
        raise ValueError(f"{file}: cannot be read as a CSV file in UTF-8 ({error})") from error
    column = "student"
    if column not in table:
        if table.shape[1] > 1:
            raise ValueError(f"{file}:1: give a column student, or only one column")
        table = pd.read_csv(
            file,
            dtype=str,
            encoding="utf-8-sig",
            header=None,
            names=[column],
            skip_blank_lines=False,
        )
        first_line = 1
    else:
        first_line = 2
    names = table[column].str.strip()
    seen: dict[str, int] = {}
    for line, name in enumerate(names, start=first_line):
        if pd.isna(name) or not name:
            raise ValueError(f"{file}:{line}: there is no name or number of a student")
        if name in seen:
            raise ValueError(f"{file}:{line}: {name!r} is in line {seen[name]} as well")
        seen[name] = line
    return list(seen)


def read_secret(file: Path) -> str:
    """The text of the file; a new one if there is none."""
    if not file.exists():
        write_text(secrets.token_hex(16) + "\n", file)
    key = file.read_text(encoding="utf-8").strip()
    if not key:
        raise ValueError(f"{file}: the secret is empty; delete the file, and one is made")
    return key


def _number_from(*parts: object) -> int:
    text = "\0".join(map(str, parts))
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")


def deal(student: str, key: str, number: int) -> int:
    """The variant of a student: from 1 to the number of variants."""
    return 1 + _number_from(key, "student", student) % number


def seed_of(variant: int, key: str) -> int:
    """The seed of a variant; not a small one, which the lessons use themselves."""
    return 1000 + _number_from(key, "seed", variant) % 1_000_000


def _copy(source: Path, place: Path) -> None:
    """The notebooks with exercises and what they read, with checks that read a file beside them."""
    place.mkdir()
    nbformat = needed("nbformat")
    for file, notebook in _graders.read_lessons(source).items():
        for exercise in _graders.find_exercises(notebook):
            call = f'irstd.check("{exercise.name}", answer, file="{OWN}")'
            exercise.check.source = call
        nbformat.write(notebook, place / file.name)
    for name in BESIDE:
        if (source / name).exists():
            (place / name).write_bytes((source / name).read_bytes())


def _run(file: Path, seed: int) -> None:
    """Run a lesson on a seed, and store it; its checks stay as they are."""
    nbformat = needed("nbformat")
    notebook = nbformat.read(file, as_version=4)
    is_drawn = False
    for cell in notebook.cells:
        if cell.cell_type == "code":
            call = f"simulate_campaign(seed={seed})"
            cell.source, count = DRAWN.subn(call, cell.source)
            is_drawn = is_drawn or count > 0
    if not is_drawn:
        return
    checks = [exercise.check for exercise in _graders.find_exercises(notebook)]
    calls = [check.source for check in checks]
    for check in checks:
        check.source = ""  # what is expected is not known yet
    from nbconvert.preprocessors import ExecutePreprocessor

    runner = ExecutePreprocessor(timeout=SECONDS, record_timing=False)
    try:
        runner.preprocess(notebook, {"metadata": {"path": str(file.parent)}})
    except Exception as error:  # of the kernel, or of a cell
        raise ValueError(f"{file.name} does not run on the seed {seed}: {error}") from error
    for check, call in zip(checks, calls, strict=True):
        check.source = call
    notebook.cells.insert(1, nbformat.v4.new_markdown_cell(NOTE, id="variant-note"))
    nbformat.write(notebook, file)


def _which_vary(answers: dict[int, dict[str, Any]]) -> set[str]:
    """The exercises whose answers are not the same in all variants."""
    first, *others = answers.values()
    varying = set()
    for name, answer in first.items():
        if any(repr(other[name]) != repr(answer) for other in others):
            varying.add(name)
    return varying


def _without_mistakes(known: dict[str, Rows], varying: set[str]) -> dict[str, Rows]:
    """What is said of wrong numbers, and of the right ones, is true of the course's seed only."""
    kept = {}
    for name, rows in known.items():
        kept[name] = dict(rows)
        if name in varying:
            kept[name].pop("mistake", None)
            kept[name]["right"] = [{"text": ""}]
    return kept


def _withheld(rows: dict[str, Rows], varying: set[str]) -> bytes:
    """The file beside the notebooks: of what varies it knows the form only."""
    formed: dict[str, Rows] = {}
    for name, roles in rows.items():
        formed[name] = dict(roles)
        for role in ("value", "name"):
            if name in varying and role in roles:
                formed[name][role] = [{**line, "value": ""} for line in roles[role]]
    return _as_csv(formed)


def _as_csv(rows: dict[str, Rows]) -> bytes:
    lines = [line for roles in rows.values() for of_role in roles.values() for line in of_role]
    text = pd.DataFrame(lines, columns=COLUMNS).to_csv(index=False, lineterminator="\n")
    return text.encode()


def _of_others(
    own: dict[str, Rows], others: dict[int, dict[str, Rows]], varying: set[str]
) -> dict[str, dict[int, Rows]]:
    """By exercise, what other variants expect, where that is something else."""
    found: dict[str, dict[int, Rows]] = {}
    for name in varying:
        mine = _values(own[name])
        found[name] = {n: of[name] for n, of in others.items() if _values(of[name]) != mine}
    return found


def _values(rows: Rows) -> list[str]:
    return [row["value"] for row in rows.get("value", rows.get("name", []))]


def _write_sheets(
    folder: Path,
    dealt: pd.Series,
    answers: dict[int, dict[str, Any]],
    varying: set[str],
    files: dict[str, bytes],
) -> None:
    """Who has which variant, and what is expected of each."""
    rows: list[list[object]] = []
    for variant, of_exercises in answers.items():
        for name, answer in of_exercises.items():
            varies = "yes" if name in varying else "no"
            rows.append([variant, name, varies, answer])
    expected = pd.DataFrame(rows, columns=["variant", "exercise", "varies", "answer"])
    students = dealt.rename_axis("student").reset_index()
    files["students.csv"] = students.to_csv(index=False).encode()
    files["answers.csv"] = expected.to_csv(index=False).encode()
    folder.mkdir()
    write_files({folder / name: content for name, content in files.items()})
