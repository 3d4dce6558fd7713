"""The card that asks for a guess before a result."""

import pytest

from irstd.widgets import predict

ANSWERS = {"more": "Look at the ends.", "less": "Each topic counts the same.", "as much": "No."}


def test_nothing_is_chosen_or_said_at_first():
    card = predict("How much?", ANSWERS, right="less")
    assert card.choice.value is None
    assert card.text.value == ""
    assert card.choice.options == tuple(ANSWERS)


@pytest.mark.parametrize("answer", ANSWERS)
def test_each_answer_gets_its_sentence(answer):
    card = predict("How much?", ANSWERS, right="less")
    card.choice.value = answer
    assert ANSWERS[answer] in card.text.value
    assert ("Yes." in card.text.value) == (answer == "less")
    assert ("Not so." in card.text.value) == (answer != "less")


def test_another_choice_replaces_the_sentence():
    card = predict("How much?", ANSWERS, right="less")
    card.choice.value = "more"
    card.choice.value = "less"
    assert ANSWERS["more"] not in card.text.value


@pytest.mark.parametrize(
    ("answers", "right", "said"),
    [
        ({"yes": "It is."}, "yes", "two to four"),
        ({"yes": "It is.", "no": "It is not."}, "maybe", "right must be one of"),
    ],
)
def test_a_question_without_a_right_answer_is_refused(answers, right, said):
    with pytest.raises(ValueError, match=said):
        predict("Is it?", answers, right)


def test_a_page_without_widgets_shows_the_question_and_its_answers():
    card = predict("How <i>much</i> &amp; why?", ANSWERS, right="less")
    assert repr(card) == "Predict. How much & why? (more / less / as much)"
