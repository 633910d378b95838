/**
 * The parameters as sliders, and the lists to choose from.
 *
 * @import { Control, Group } from "./types.js"
 */

import { h } from "../shared/dom.js";

/** A panel with a control for each parameter. */
export class ParameterPanel {
  /** @type {Control[]} */
  #controls = [];
  /** @type {Record<string, string>} */
  #values = {};
  /** @type {string[] | null} names of those that are shown; null for all */
  #used = null;
  #rows = h("div", { class: "rows" });
  #took = h("output", { class: "fine took" });
  #problem = h("p", { class: "problem", role: "alert" });
  #change;

  /** @param {() => void} change called when a value has changed */
  constructor(change) {
    this.#change = change;
    const reset = h(
      "button",
      { type: "button", class: "quiet", onclick: () => this.#reset() },
      "Defaults",
    );
    this.element = h(
      "section",
      { class: "panel parameters", "aria-labelledby": "parameters-title" },
      h("div", { class: "head" }, h("h2", { id: "parameters-title" }, "Parameters"), reset),
      this.#rows,
      this.#problem,
      this.#took,
    );
  }

  /** The values that differ from the defaults. */
  get values() {
    return Object.fromEntries(
      this.#controls
        .filter(({ name, value }) => (this.#values[name] ?? value) !== value)
        .map(({ name, value }) => [name, this.#values[name] ?? value]),
    );
  }

  /**
   * Draw the controls, unless they are there already.
   *
   * @param {Control[]} controls
   */
  offer(controls) {
    if (this.#controls.length) return;
    this.#controls = controls;
    this.set(this.#values);
  }

  /**
   * Show some values, and the defaults for all others.
   *
   * @param {Record<string, string>} values
   */
  set(values) {
    this.#values = { ...values };
    this.#fill();
  }

  /**
   * Show the controls that change something, and no others.
   *
   * @param {string[]} names
   */
  use(names) {
    if (this.#used?.join() === names.join()) return;
    this.#used = names;
    this.#fill();
  }

  #fill() {
    const shown = this.#controls.filter(({ name }) => this.#used?.includes(name) ?? true);
    this.#rows.replaceChildren(...shown.map((control) => this.#row(control)));
  }

  /**
   * Those values that belong to a parameter; all of them as long as it is not known which there are.
   *
   * @param {Record<string, string>} values
   * @returns {Record<string, string>}
   */
  known(values) {
    const names = this.#controls.map(({ name }) => name);
    const all = Object.entries(values);
    return Object.fromEntries(names.length ? all.filter(([name]) => names.includes(name)) : all);
  }

  /**
   * Show a problem, or how long it took.
   *
   * @param {{problem?: string | undefined, took?: number | undefined}} what
   */
  report({ problem = "", took }) {
    this.#problem.textContent = problem;
    this.#took.textContent = took === undefined ? "" : `recomputed in ${Math.round(took)} ms`;
  }

  /**
   * @param {string} name
   * @param {string} value
   */
  #changed(name, value) {
    this.#values[name] = value;
    this.#change();
  }

  #reset() {
    this.set({});
    this.#change();
  }

  /** @param {Control} control */
  #row(control) {
    const value = this.#values[control.name] ?? control.value;
    return control.options.length ? this.#choice(control, value) : this.#number(control, value);
  }

  /**
   * @param {Control} control
   * @param {string} value
   */
  #number({ name, label, help, range: [least, most, step] }, value) {
    const described = { "aria-describedby": `help-${name}` };
    const limits = { min: least, max: most, step };
    const slider = h("input", { type: "range", "aria-label": `${label}, slider`, ...limits, ...described });
    const number = h("input", { id: `p-${name}`, type: "number", step: "any", value, ...described });
    slider.value = value;
    slider.addEventListener("input", () => {
      number.value = slider.value;
      this.#changed(name, slider.value);
    });
    number.addEventListener("input", () => {
      slider.value = number.value;
      if (number.value !== "") this.#changed(name, number.value);
    });
    slider.dataset.parameter = name;
    return h(
      "div",
      { class: "parameter", title: help },
      h("label", { for: `p-${name}` }, label),
      number,
      slider,
      h("span", { id: `help-${name}`, class: "visually-hidden" }, help),
    );
  }

  /**
   * @param {Control} control
   * @param {string} value
   */
  #choice({ name, label, help, options }, value) {
    const select = h(
      "select",
      {
        id: `p-${name}`,
        "aria-describedby": `help-${name}`,
        onchange: () => this.#changed(name, select.value),
      },
      ...options.map((option) => h("option", { selected: option === value }, option)),
    );
    return h(
      "div",
      { class: "parameter", title: help },
      h("label", { for: `p-${name}` }, label),
      select,
      h("span", { id: `help-${name}`, class: "visually-hidden" }, help),
    );
  }
}

/**
 * A list to choose from, with headings.
 *
 * @param {HTMLSelectElement} select
 * @param {Group[]} groups
 * @param {string} chosen
 * @param {string} [missing] what stands there if the chosen one is not in the list
 */
export function fillSelect(select, groups, chosen, missing = "") {
  const known = groups.some(({ entries }) => entries.some(({ id }) => id === chosen));
  select.replaceChildren(
    ...(known ? [] : [h("option", { value: chosen, selected: true }, missing || chosen)]),
    ...groups.map(({ title, entries }) =>
      h(
        "optgroup",
        { label: title },
        ...entries.map(({ id, title }) =>
          h("option", { value: id, selected: id === chosen }, title),
        ),
      ),
    ),
  );
}
