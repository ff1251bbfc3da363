/** Guards that keep LLM agents from looping, for any Node host. */

/** A row of a configuration: docs/configuration.md of the sources has all keys. */
export interface Row {
  id?: string
  name?: string
  config?: Record<string, unknown>
  disabled?: boolean
}

export interface GuardsOptions {
  /** What error messages call the configuration. */
  file?: string
  /** Where the rows start from, if no row says so: the originals' values, without it. */
  preset?: 'original' | 'recommended'
  /** Is given what fails inside a guard, while the call goes through. Without it: a warning. */
  onError?: (error: unknown) => void
}

/** A configuration, checked when it is made, and the agents that live under it. */
export class Guards {
  /**
   * @param rows none: all three guards.
   * @throws with everything that is wrong with the rows, each with its place and remedy.
   */
  constructor(rows?: Row[], options?: GuardsOptions)
  /** The ids of the guards, in their order: the labels of what they say. */
  readonly ids: string[]
  /** What is allowed in the configuration but hardly meant. */
  readonly warnings: string[]
  /** How many agents are watched. */
  readonly agents: number
  /** Whether the guards only count calls: then `Agent.tell`, once a call has ended, says it all. */
  readonly onlyCountCalls: boolean
  /** The guards of one agent: an object is held weakly, a name until `end`. */
  agent(key: object | string): Agent
  /** An agent is gone, and its state with it: the same name later is a new agent. */
  end(key: object | string): void
}

/** A call that a host is about to run. */
export interface Call {
  tool: string
  /** The arguments as the model wrote them. Prefer this: a parser rounds integers beyond 2^53. */
  text?: string
  /** Or else the parsed arguments. Where an integer was rounded, the call is never denied. */
  value?: unknown
  /** The model step that issued the call: a number that never comes again for another step. */
  step?: number
  /** Milliseconds since 1970; without it, now. */
  at?: number
}

/** What the guards answer to a call. */
export type Answer =
  | { admitted: true; call: number }
  | { admitted: false; reason: string; denial: Denial; further: Denial[]; halt: Halt | null }

export interface Denial {
  guard: string
  code: string
  /** What the model reads in place of a result. */
  reason: string
  facts: Facts
}

/** Advice to end the agent's run, where that is configured. */
export interface Halt {
  reason: string
  denials: number
}

/** How a call ended. */
export interface Ending {
  status?: 'success' | 'failure' | 'denied' | 'cancelled'
  /** What went wrong, for a failure. */
  message?: string
  /** The text blocks that the model reads. */
  texts?: readonly string[]
  at?: number
  /** Nothing can be delivered now: what the guards say waits for the next time. */
  hold?: boolean
}

/** Advice for the model, to be delivered as a message of its own behind the step's results. */
export interface Notice {
  guard: string
  code: string
  text: string
  /** A few words for people, such as `bash × 3`. */
  summary: string
  facts: Facts
}

/** What a decision rests on. */
export interface Facts {
  rule: string
  limit: number
  count: number
  tool?: string
  tools?: string[]
  sources?: string[]
  period?: number
  windowMs?: number
  firstCall?: number
  lastCall?: number
}

/** A message that a host hands to an agent's next step. */
export interface Message {
  id?: string
  /** Who speaks. `user` is a person, and starts the guards afresh. */
  kind: 'user' | 'assistant' | 'plugin' | (string & {})
  /** The plugin's name, where it is one. */
  plugin?: string
  /** Advice is never looked at as text; a part is a piece of a message that still streams. */
  form?: 'notice' | 'part' | (string & {})
  texts: readonly string[]
}

/** The guards of one agent. What fails inside them is reported, and the call goes through. */
export class Agent {
  private constructor()
  /** Asks before a call runs. */
  submit(call: Call): Answer
  /** Tells how an admitted call ended, and takes what the guards say. */
  finish(call: number, ending?: Ending): readonly Notice[]
  /**
   * Tells of a call that has ended, however it has, in place of `submit` and `finish`: for guards
   * that only count calls, and cheaper. `call.at` is when it was submitted.
   */
  tell(call: Call, hold?: boolean): readonly Notice[]
  /** Hands in the messages of the next step, as one batch. */
  messages(batch: readonly Message[], at?: number): void
  /** Takes what waits to be said: after a refusal, and after messages. */
  takeNotices(): readonly Notice[]
  /** The history was compacted, which changes nothing in any guard. */
  compacted(at?: number): void
  /** The conversation was cleared: as if a person had spoken. */
  reset(at?: number): void
  /** Forgets what is held against one call: the user allows it again. */
  pardon(call: Pick<Call, 'tool' | 'text' | 'value'>): void
  /** The state as text, for `restore` in another process. */
  save(): string
  /**
   * Goes on from a saved state. The answer names the guards that start afresh all the same.
   *
   * @throws where the text is no state of this version; nothing has changed then.
   */
  restore(saved: string): string[]
}
