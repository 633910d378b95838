/**
 * What the server sends to a participant: a view of each screen.
 *
 * @import { Game, NpcLabel } from "../shared/types.js"
 *
 * @typedef {object} ViewBase
 * @property {number} seq
 * @property {{title: string}} study
 * @property {{part: string, at: number, of: number, done: number} | null} progress
 *
 * @typedef {{caption: string, frames: Game[], actions: string[]}} Example
 * @typedef {{id: string, text: string, options: {id: string, text: string}[]}} Question
 * @typedef {{code: string, url: string, platform: string, test: boolean}} Completion
 *
 * @typedef {ViewBase & {screen: "consent", facts: {kind: string, text: string}[], text: string[],
 *   data_protection: string[], version: string, agree: string, decline: string}} ConsentView
 * @typedef {ViewBase & {screen: "tutorial", page: number, pages: number, title: string,
 *   text: string[], example: Example | null, game: Game | null}} TutorialView
 * @typedef {ViewBase & {screen: "check", questions: Question[], attempt: number, attempts: number,
 *   wrong: string[] | null, given: Record<string, string>, reminder: string[]}} CheckView
 * @typedef {ViewBase & {screen: "card", number: number, of: number, goal: string, budget: number,
 *   total: number, npcs: NpcLabel[]}} CardView
 * @typedef {ViewBase & {screen: "trial", number: number, of: number, total: number,
 *   asks: boolean, game: Game}} TrialView
 * @typedef {{id: string, kind: "choice" | "number" | "scale" | "text", text: string,
 *   required: boolean, options: {value: string, text: string}[], minimum: number | null,
 *   maximum: number | null, low: string, high: string,
 *   when: {question: string, answer: string | number} | null}} SurveyQuestion
 * @typedef {ViewBase & {screen: "questions", number: number, of: number,
 *   questions: SurveyQuestion[], game: Game}} QuestionsView
 * @typedef {ViewBase & {screen: "survey", questions: SurveyQuestion[]}} SurveyView
 * @typedef {ViewBase & {screen: "debrief", text: string[],
 *   bonus: {amount: string, currency: string, text: string}, unspent: number,
 *   completion: Completion | null}} DebriefView
 * @typedef {"declined" | "failed_check" | "screened_out" | "paused" | "full" |
 *   "withdrawn" | "technical"} EndScreen
 * @typedef {ViewBase & {screen: EndScreen, text: string[], completion: Completion | null}} EndView
 * @typedef {ConsentView | TutorialView | CheckView | CardView | TrialView | QuestionsView |
 *   SurveyView | DebriefView | EndView} ScreenView
 *
 * @typedef {object} Screen a drawn screen
 * @property {HTMLElement} element
 * @property {HTMLElement} [focus] what gets the focus when the screen appears
 * @property {boolean} [fill] it fills the window and does not scroll
 * @property {(view: ScreenView) => boolean} [update] draw another view in place; false if it cannot
 * @property {(event: KeyboardEvent) => void} [key] a key was pressed
 * @property {() => void} [close] it is about to be taken away
 *
 * @typedef {(kind: string, data?: object) => void} Send sends an intent to the server
 */

export {};
