"""The consent form of the settings for trying out."""

from __future__ import annotations


def default_consent() -> str:
    """The consent text for trying out; a lab has its approved one."""
    return """\
You are invited to take part in a research study on how people learn by watching others.

What you will do: you play a short game on maps in your browser. A tutorial explains the game; a few
questions make sure that it was clear. Then you play the rounds that count, and answer two or three
short questions at the end.

Taking part is voluntary. You may stop at any time, without giving a reason, with the button
"Leave the study".

What is recorded: the choices you make in the game and when you make them, your answers to the
questions, and whether the window of the study was in front. Your participant id is used for payment
only and is kept apart from the data. No internet address is recorded. The data without your id may
be published and shared with other researchers.

There are no known risks beyond those of ordinary computer use, and no direct benefit besides the
payment.

By choosing to take part you confirm that you are at least 18 years old, that you have read this
page and that you agree to take part."""
