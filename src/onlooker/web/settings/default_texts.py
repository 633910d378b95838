"""The consent form and the debriefing of the example settings."""

from __future__ import annotations


def default_consent() -> str:
    """The consent text of the example settings; a lab replaces it with its approved one."""
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


def default_debrief() -> str:
    """What people read at the end, unless the settings say otherwise."""
    return """\
Thank you for taking part!

In this study we want to find out how people decide when to watch somebody else, whom to watch, and
when to stop watching and act on their own. Watching is cheap, but it only helps when it shows you
something that you need to know.

Please use the link below to finish, so that your participation is registered and you are paid. Your
bonus is paid separately within a few days."""
