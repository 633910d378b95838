"""Somebody who takes part: with both hands, with the mouse alone or with the keyboard alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from playwright.sync_api import Locator, Page, expect

from browser.study import Study
from onlooker.planning import Tables, main_path
from web.records import events

Hands = Literal["both", "mouse", "keyboard"]
KEYS = {"up": "ArrowUp", "down": "s", "left": "ArrowLeft", "right": "d"}
SETTLED = """() => {
  const main = document.querySelector("main[data-screen]:not([aria-busy])");
  main?.classList.remove("fresh");
  return Boolean(main);
}"""


@dataclass
class Participant:
    """A page of the study and how it is used."""

    page: Page
    study: Study
    pid: str
    experiment: int
    hands: Hands = "both"

    @property
    def screen(self) -> str | None:
        """The screen that is shown."""
        return self.page.locator("main[data-screen]").get_attribute("data-screen")

    @property
    def events(self) -> list[str]:
        """What the server has recorded."""
        session = self.study.session(self.pid)
        return [event.kind for event in events(self.study.store, session.id)]

    # -- single actions ----------------------------------------------------------------------------

    def wait(self) -> None:
        """Wait for the screen, and end the moment in which a new one takes no clicks."""
        self.page.wait_for_function(SETTLED)

    def push(self, button: Locator) -> None:
        """Click a button, or go there with Tab and press Enter; wait for the reply."""
        self.wait()
        if self.hands == "keyboard":
            self.tab_to(button)
            self.page.keyboard.press("Enter")
        else:
            button.click()
        self.wait()

    def tab_to(self, target: Locator) -> None:
        """Press Tab until something has the focus."""
        element = target.element_handle()
        for _ in range(60):
            if self.page.evaluate("element => element === document.activeElement", element):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"Tab does not lead to {target}")

    def go_on(self) -> None:
        """Push the button that leads on, once an example has been seen to its end."""
        while self.page.locator("main .primary:disabled").count():
            step = self.page.locator(".example .controls button").last
            if self.hands == "keyboard":
                self.tab_to(step)
                self.page.keyboard.press("Enter")
            else:
                step.click()
        self.push(self.page.locator("main .primary"))

    def choose(self, choice: str) -> None:
        """Make a choice in a round."""
        if self.hands == "mouse":
            self.page.locator(f'[data-choice="{choice}"]').click()
        else:  # the quicker way
            self.page.keyboard.press(KEYS.get(choice, choice[-1]))
        self.wait()

    def answer(self, right: bool = True) -> None:
        """Tick an option for each question and hand in."""
        for question in self.study.courses[self.experiment].questions:
            wrong = next(option.id for option in question.options if option.id != question.right)
            self._tick(question.id, question.right if right else wrong)
        self.go_on()

    def _tick(self, name: str, value: str) -> None:
        option = self.page.locator(f'input[name="{name}"][value="{value}"]')
        if self.hands != "keyboard":
            option.check()
            return
        group = self.page.locator(f'input[name="{name}"]')
        ticked = self.page.locator(f'input[name="{name}"]:checked')
        self.tab_to(ticked if ticked.count() else group.first)
        self.page.keyboard.press("Space")
        for _ in range(group.count()):
            if not option.is_checked():
                self.page.keyboard.press("ArrowDown")
        expect(option).to_be_checked()

    # -- whole stretches ---------------------------------------------------------------------------

    def play(self, observations: int = 0) -> Iterator[str]:
        """Observe for some steps, everybody in turn, and then take the best way to the chest."""
        for step in range(observations):
            buttons = self.page.locator(".observe button:enabled")
            if count := buttons.count():
                self.choose(str(buttons.nth(step % count).get_attribute("data-choice")))
        yield "observed"
        trial = self.study.stage(self.pid, self.experiment).trial
        for taken in main_path(Tables(trial.map), trial):
            self.choose(str(taken.action))
        expect(self.page.locator(".result")).to_be_visible()
        yield "result"

    def walk(self, observations: int = 3) -> Iterator[str]:
        """Go through the whole study; stops wherever there is something new to see."""
        expect(self.page.locator("main")).to_have_attribute("data-screen", "consent")
        yield "consent"
        self.go_on()
        while self.screen == "tutorial":
            yield f"tutorial {self.page.locator('.eyebrow').inner_text()}"
            if self.page.locator(".play").count():
                yield from (f"practice {stop}" for stop in self.play(observations))
            self.go_on()
        yield "check"
        self.answer(right=False)
        expect(self.page.locator(".feedback")).to_be_visible()
        yield "check again"
        self.answer()
        while self.screen == "card":
            yield "card"
            self.go_on()
            yield from (f"trial {stop}" for stop in self.play(observations))
            self.go_on()
        yield "survey"
        self.fill_in()
        yield "debrief"

    def fill_in(self) -> None:
        """Answer the survey."""
        if self.hands == "keyboard":
            self.tab_to(self.page.locator("[name=age]"))
            self.page.keyboard.type("33")
        else:
            self.page.locator("[name=age]").fill("33")
        self._tick("gender", "Female")
        self.go_on()
