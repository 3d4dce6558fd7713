"""The card that asks for a guess before a result."""

import pytest

from irstd.widgets import predict

ANSWERS = {"more": "Look at the ends.", "less": "Each topic counts the same.", "as much": "No."}


def test_each_answer_gets_its_sentence_and_nothing_is_said_at_first():
    card = predict("How <i>much</i> &amp; why?", ANSWERS, right="less")
    assert repr(card) == "Predict. How much & why? (more / less / as much)"
    assert card.choice.value is None
    assert card.choice.options == tuple(ANSWERS)
    assert card.text.value == ""
    for answer, sentence in ANSWERS.items():
        card.choice.value = answer
        shown = [other for other in ANSWERS.values() if other in card.text.value]
        assert shown == [sentence]
        is_right = answer == "less"
        assert ("Yes." in card.text.value) == is_right
        assert ("Not so." in card.text.value) == (not is_right)


def test_a_question_without_a_right_answer_is_refused():
    with pytest.raises(ValueError, match="right must"):
        predict("Is it?", dict.fromkeys("ab", "It is."), "c")
