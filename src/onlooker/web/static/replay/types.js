/**
 * The replay document: what the server, or the file, says about a replay (web/replay/document_types.py).
 *
 * @import { Cell, Expertise, Game, NpcLabel } from "../shared/types.js"
 *
 * @typedef {{name: string, p: number, kept: boolean}} Chance
 * @typedef {{colour: string, settled: boolean, wizards: Chance[]}} Belief
 * @typedef {{cells: Cell[], asks: string[]}} DrawnPath
 *
 * @typedef {object} Particle one imagined future of an NPC
 * @property {string} goal
 * @property {Record<string, string>} holders
 * @property {number} p
 * @property {number} steps
 * @property {number | null} residual
 * @property {number | null} cost
 * @property {number} watched number of a path
 * @property {number} beyond number of a path
 * @property {string} words
 *
 * @typedef {object} NpcMind what is thought of one NPC, and of watching it
 * @property {string} npc
 * @property {boolean} arrived
 * @property {Chance[]} goals
 * @property {number | null} q
 * @property {number | null} watch
 * @property {number | null} act
 * @property {Particle[]} particles
 * @property {{count: number, p: number} | null} rest
 *
 * @typedef {object} Mind
 * @property {Belief[]} belief
 * @property {NpcMind[]} npcs
 * @property {number | null} c_self
 * @property {{stops: string[], path: number} | null} tour
 * @property {string} choice an NPC's id, or "act"
 * @property {string} words
 *
 * @typedef {{act: number | null, watch: (number | null)[], choice: string}} Ideal
 * @typedef {{choice: string, p: number}} ChoiceChance
 *
 * @typedef {object} Choosing who chooses by chance, and what is expected of it in the trial
 * @property {string} title
 * @property {string} rule
 * @property {number} skip
 * @property {number[] | null} expected
 * @property {number[] | null} expected_sd
 * @property {string} reason
 *
 * @typedef {object} Lesson what a teacher expects of a learner who takes it for an expert
 * @property {Belief[]} belief
 * @property {boolean} left
 * @property {string} words
 *
 * @typedef {"observation" | "move" | "interaction" | "act"} Kind
 * @typedef {{choice: string, kind: Kind, who: string, action: string, words: string}} ChoiceMade
 *
 * @typedef {object} ReplayFrame one step
 * @property {Omit<Game, "width" | "height" | "walls" | "barriers" | "wizards" | "chests">} game
 * @property {string} said
 * @property {Mind | null} mind
 * @property {Ideal | null} ideal
 * @property {ChoiceChance[] | null} chances
 * @property {Record<string, Record<Expertise, number>> | null} kinds by NPC: what it is taken for, if
 *   that is not told
 * @property {Record<string, Lesson>} lessons by NPC that teaches
 * @property {ChoiceMade | null} did
 * @property {boolean | null} agrees
 * @property {string[]} reasons
 *
 * @typedef {object} Timeline a timeline
 * @property {string} id
 * @property {string} title
 * @property {ChoiceMade[]} cells
 * @property {number | null} diverges_at
 * @property {number[]} observed
 * @property {number | null} cost
 * @property {boolean} current
 *
 * @typedef {object} ReplayDocument
 * @property {{id: string, title: string, setting: string, npcs: NpcLabel[], text: string}} trial
 * @property {{id: string, title: string, kind: "observer" | "participant", note: string}} player
 * @property {Record<string, string | number>} parameters
 * @property {string[]} uses names of the parameters that change something
 * @property {Choosing | null} choosing
 * @property {{expected_cost: number | null, reason: string}} ideal
 * @property {string[]} cautions
 * @property {Pick<Game, "width" | "height" | "walls" | "barriers" | "wizards" | "chests">} map
 * @property {DrawnPath[]} paths
 * @property {ReplayFrame[]} frames
 * @property {number[]} turns
 * @property {Timeline[]} lines
 *
 * @typedef {object} Control a parameter
 * @property {string} name
 * @property {string} label
 * @property {string} help
 * @property {string} value
 * @property {string[]} options
 * @property {[number, number, number]} range
 *
 * @typedef {{title: string, entries: {id: string, title: string}[]}} Group
 *
 * @typedef {object} Offer what can be chosen
 * @property {boolean} hidden
 * @property {Group[]} trials
 * @property {Group[]} players
 * @property {{id: string, title: string}[]} rounds
 * @property {Control[]} controls
 *
 * @typedef {object} Overlay what is drawn on the map besides the game
 * @property {string} key
 * @property {string} agent whose way it is
 * @property {number} path
 * @property {number} [beyond] where it would go on
 * @property {string[]} [stops] wizards to be numbered
 */

export {};
