/**
 * A game as the server sends it and the pages draw it.
 *
 * @typedef {[number, number]} Cell x to the right, y down, [0, 0] top left
 *
 * @typedef {{at: Cell, colour: string}} Barrier
 * @typedef {{id: string, at: Cell, colour: string}} Wizard
 * @typedef {{letter: string, at: Cell}} Chest
 * @typedef {{at: Cell, goal: string, amulets: string[], arrived: boolean}} MainAgent
 * @typedef {"expert" | "novice" | "teacher" | "untold"} Expertise
 * @typedef {{id: string, name: string, expertise: Expertise}} NpcLabel
 * @typedef {NpcLabel & {at: Cell, arrived: boolean, observed: number}} Npc
 * @typedef {{choice: string, kind: "move" | "interaction" | "observation", cost: number}} Choice
 *
 * @typedef {object} LastTurn what the last choice showed
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
 * @property {LastTurn | null} last
 * @property {{kind: string, text: string}[]} history what came before, where a page is opened again
 * @property {boolean} tutorial
 * @property {boolean} finished
 * @property {{unspent: number, too_long: boolean} | null} result
 */

export {};
