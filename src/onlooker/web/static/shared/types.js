/**
 * What the server sends: the shapes that the client draws.
 *
 * @typedef {[number, number]} Cell x to the right, y down, [0, 0] top left
 *
 * @typedef {{at: Cell, colour: string}} Barrier
 * @typedef {{id: string, at: Cell, colour: string}} Wizard
 * @typedef {{letter: string, at: Cell}} Chest
 * @typedef {{at: Cell, goal: string, amulets: string[], arrived: boolean}} MainAgent
 * @typedef {"expert" | "novice"} Expertise
 * @typedef {{id: string, name: string, expertise: Expertise}} NpcName
 * @typedef {NpcName & {at: Cell, arrived: boolean, observed: number}} Npc
 * @typedef {{choice: string, kind: "move" | "interaction" | "observation", cost: number}} Choice
 *
 * @typedef {object} Last what the last choice showed
 * @property {string} who "main" or an NPC's id
 * @property {string} action
 * @property {"move" | "interaction"} kind
 * @property {Cell} from
 * @property {Cell} to
 * @property {string | null} wizard
 * @property {"given" | "nothing" | "hidden" | null} outcome
 * @property {string | null} barrier
 * @property {string | null} chest
 * @property {boolean} arrived
 * @property {string} text
 *
 * @typedef {object} Game everything there is to see of a game
 * @property {number} width
 * @property {number} height
 * @property {Cell[]} walls
 * @property {Barrier[]} barriers
 * @property {Wizard[]} wizards
 * @property {Chest[]} chests
 * @property {MainAgent} main
 * @property {Npc[]} npcs
 * @property {{budget: number, left: number}} points
 * @property {{move: number, interact: number, observe: number}} costs
 * @property {Choice[]} choices only what is available now
 * @property {Last | null} last
 * @property {boolean} tutorial
 * @property {boolean} finished
 * @property {{unspent: number} | null} result
 *
 * @typedef {object} ViewBase
 * @property {number} seq
 * @property {{title: string, experiment: number}} study
 * @property {{at: number, of: number} | null} progress
 * @property {string} server_time
 *
 * @typedef {{caption: string, frames: Game[], actions: string[]}} Example
 * @typedef {{id: string, text: string, options: {id: string, text: string}[]}} Question
 * @typedef {{code: string, url: string}} Completion
 *
 * @typedef {ViewBase & {screen: "consent", text: string[], version: string, agree: string,
 *   decline: string}} ConsentView
 * @typedef {ViewBase & {screen: "tutorial", page: number, pages: number, title: string,
 *   text: string[], example: Example | null, game: Game | null}} TutorialView
 * @typedef {ViewBase & {screen: "check", questions: Question[], attempt: number, attempts: number,
 *   wrong: string[] | null, reminder: string[]}} CheckView
 * @typedef {ViewBase & {screen: "card", number: number, of: number, goal: string, budget: number,
 *   npcs: NpcName[]}} CardView
 * @typedef {ViewBase & {screen: "trial", number: number, of: number, game: Game}} TrialView
 * @typedef {ViewBase & {screen: "survey", ask_age: boolean, ask_gender: boolean,
 *   genders: string[]}} SurveyView
 * @typedef {ViewBase & {screen: "debrief", text: string[],
 *   bonus: {amount: string, currency: string}, unspent: number,
 *   completion: Completion | null}} DebriefView
 * @typedef {"declined" | "failed_check" | "screened_out" | "paused" | "withdrawn" |
 *   "technical"} EndScreen
 * @typedef {ViewBase & {screen: EndScreen, text: string[], completion: Completion | null}} EndView
 * @typedef {ConsentView | TutorialView | CheckView | CardView | TrialView | SurveyView |
 *   DebriefView | EndView} View
 *
 * @typedef {object} Screen a drawn screen
 * @property {HTMLElement} element
 * @property {HTMLElement} [focus] what gets the focus when the screen appears
 * @property {boolean} [fill] it fills the window and does not scroll
 * @property {(view: View) => boolean} [update] draw another view in place; false if it cannot
 * @property {(event: KeyboardEvent) => void} [key] a key was pressed
 * @property {() => void} [close] it is about to be taken away
 *
 * @typedef {(kind: string, data?: object) => void} Send sends an intention to the server
 */

export {};
