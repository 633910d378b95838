"""Checks of the settings: what a study must not go live with."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urlsplit

from onlooker.game import BudgetRule, ExperimentName
from onlooker.planning import Tables, hint
from onlooker.web.preflight.findings import Finding, must, should
from onlooker.web.settings import EXAMPLE, Settings, load_settings
from onlooker.web.settings.questions import localised
from onlooker.web.study.course import Course, Courses
from onlooker.web.texts import load_texts

MIN_HOURLY = {"$": 8, "USD": 8, "US$": 8, "£": 6, "GBP": 6}  # what Prolific asks for


def check_settings(settings: Settings, courses: Courses) -> Iterator[Finding]:
    """Check the settings for what a live study must not have."""
    example = load_settings(EXAMPLE)
    study, codes = settings.study, settings.completion
    yield must(
        settings.researcher.configured,
        "the researcher's pages have a password",
        "the researcher's pages have no password: set password_hash or password_env",
    )
    weakness = settings.researcher.weakness
    yield must(
        not weakness, "the password is not too weak", f"the password is too weak: {weakness}"
    )
    given = [codes.complete, codes.failed_check, codes.no_consent]
    given += [codes.screened_out, codes.technical, *filter(None, [codes.withdrawn])]
    yield must(
        len(set(given)) == len(given),
        "every end has a different completion code",
        "completion: two ends have the same code",
    )
    invented = set(given) & set(example.completion.model_dump().values())
    invented |= {code for code in given if code.startswith("EXAMPLE")}
    yield must(
        not invented,
        "the completion codes are the study's own",
        f"completion: {', '.join(sorted(invented))} are codes of the example",
    )
    changed = settings.consent.text.strip() != example.consent.text.strip()
    yield must(changed, "the consent form is the study's own", "consent.text is the example's")
    yield should(
        urlsplit(codes.url).scheme == "https",
        "the completion link uses HTTPS",
        "completion.url does not",
    )
    yield should(
        "example.org" not in study.contact,
        "participants can contact the researcher",
        "study.contact is the example's",
    )
    yield from _informed(settings)
    yield from _asked(settings)
    yield should(not study.allow_test_runs, "test runs are off", "study.allow_test_runs is on")
    yield from _admission(settings)
    for number, course in courses.items():
        yield _quota(
            settings.quota.get(number), number, len(course.orderings) * len(course.variants)
        )
        yield _budgets(study.budget, course)


def _informed(settings: Settings) -> Iterator[Finding]:
    """What people must know before they agree: how long it takes, the pay, what becomes of data."""
    study, payment = settings.study, settings.payment
    yield must(
        study.minutes is not None,
        "people learn how long the study takes",
        "study.minutes: missing; people must know how long the study takes before they agree",
    )
    yield must(
        bool(settings.consent.data_protection),
        "people learn what becomes of their data",
        "consent.data_protection: missing; people must know what becomes of their data",
    )
    if study.minutes is not None:
        hourly = payment.base * 60 / study.minutes
        shown = load_texts("en").money(hourly, payment.currency)
        least = MIN_HOURLY.get(payment.currency)
        if least is None:
            yield Finding("ok", f"the base pay comes to {shown} an hour; compare it yourself")
        else:
            yield should(
                hourly >= least,
                "the base pay is fair",
                f"payment.base comes to {shown} an hour; Prolific asks for at least {least}",
            )


def _asked(settings: Settings) -> Iterator[Finding]:
    """The lab's questions as people read them; bots answer them in the rehearsal."""
    at_end = settings.survey.asked(settings.spoken)
    for moment, questions in (
        ("after each round", settings.round.questions),
        ("at the end", at_end),
    ):
        for question in questions:
            text = localised(question.text, settings.study.language)
            needed = ", required" if question.required else ""
            yield Finding("ok", f"asked {moment}: {text} ({question.kind}{needed})")


def _admission(settings: Settings) -> Iterator[Finding]:
    study, admission = settings.study, settings.admission
    missing = ", ".join(admission.missing)
    yield must(
        not missing,
        "the environment variables of [admission] are set",
        f"admission: not set in the environment: {missing}",
    )
    checked = bool(admission.link_key_env or admission.prolific)
    yield should(
        checked or bool(study.study_ids or study.experiments),
        "only known STUDY_IDs are let in",
        "set study.study_ids, or sign the links",
    )


def _budgets(rule: BudgetRule, course: Course) -> Finding:
    """Whether the points at the start of a round give away who holds an amulet."""
    where = f"Experiment {course.experiment}"
    if rule == "map":
        return Finding("ok", f"{where}: budgets are the same whoever holds an amulet")
    trials = [game.trial for game in course.stages.values()]
    hints = [hint(Tables(trial.map), trial) for trial in trials]
    told, depends = hints.count("everything"), len(hints) - hints.count("nothing")
    if not depends:
        return Finding("ok", f"{where}: no budget depends on who holds an amulet")
    return Finding(
        "warning" if told else "ok",
        f"{where}: budgets follow the paper's rule; in {told} of {len(hints)} trials the budget"
        f" alone identifies the holder (it depends on the holder in {depends});"
        ' study.budget = "map" avoids that',
    )


def _quota(quota: int | None, number: ExperimentName, orderings: int) -> Finding:
    if quota is None:
        return Finding(
            "warning", f"Experiment {number} has no quota: anybody with the link can take part"
        )
    if quota % orderings:
        message = f"the quota of Experiment {number}, {quota}, is not a multiple of {orderings}"
        return Finding("warning", f"{message}, its orderings under all labels")
    return Finding("ok", f"the quota of Experiment {number} fills every ordering equally")
