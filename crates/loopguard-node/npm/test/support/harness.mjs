// The real agent loop of the harness, with a model that says what a script says.
import { Context } from '@deepseek-ai/cordis'
import * as agents from '@deepseek-ai/dsh-agent'
import * as agentLoop from '@deepseek-ai/dsh-agent-loop'
import * as llm from '@deepseek-ai/dsh-llm'
import * as session from '@deepseek-ai/dsh-session'
import * as systemPrompt from '@deepseek-ai/dsh-system-prompt'
import * as tools from '@deepseek-ai/dsh-tools'

import { Model } from './model.mjs'
import { toolbox } from './tools.mjs'

/**
 * Mounts the harness, then `plugins`: a list of `[plugin, config]`, or of plugins alone. Later
 * ones are inside of earlier ones, but for those that ask to be outside.
 */
export async function mount(...plugins) {
  const ctx = new Context()
  for (const service of [llm, session, systemPrompt, tools, agents]) await ctx.plugin(service.default ?? service, {})
  await ctx.plugin(agentLoop.default, { agents: [] })
  const model = new Model()
  ctx.llm.registerAdapter(['scripted'], model)
  for (const tool of toolbox()) ctx.tools.register(tool)
  const fibers = []
  for (const entry of plugins) {
    const [plugin, config] = Array.isArray(entry) ? entry : [entry]
    fibers.push(await ctx.plugin(plugin, config))
  }
  let count = 0
  return {
    ctx,
    fibers,
    /** A new agent that lives in this harness. */
    agent: () => new ScriptedAgent(ctx, model, `agent-${(count += 1)}`),
  }
}

/** An agent whose model follows a script. */
export class ScriptedAgent {
  #model
  #agent

  constructor(ctx, model, id) {
    this.#model = model
    this.#agent = ctx.agentLoop.create(id, { provider: 'scripted', model: 'm' })
  }

  /** The harness's own object. */
  get live() {
    return this.#agent
  }

  /** A person speaks while the turn runs. */
  steer(text) {
    this.#agent.steer(message(text, { kind: 'user' }))
  }

  /**
   * One turn: a message from `source`, and then the steps, each a list of calls
   * `[tool, arguments as text]`. It ends with a text. Returns what came out of the turn.
   */
  async turn(steps, { source = { kind: 'user' }, text = 'go on' } = {}) {
    const from = this.#agent.session.events.length
    this.#model.script(this.#agent.id, steps)
    this.#agent.followup(message(text, source))
    await this.#agent.whenIdle()
    const events = this.#agent.session.events.slice(from)
    const end = events.findLast((event) => event.type === 'turn/end')
    if (end?.data.reason?.kind === 'error') throw new Error(JSON.stringify(end.data.reason))
    return new Said(events, this.#model.lastRequest(this.#agent.id))
  }
}

/** What came out of a turn, as its session's log has it. */
export class Said {
  constructor(events, request) {
    this.events = events
    this.request = request
  }

  /** What plugins said: after how many calls of the turn, by whom, in which words. */
  get notices() {
    let calls = 0
    const notices = []
    for (const { type, data } of this.events) {
      if (type === 'tool/call') calls += 1
      if (type !== 'user/message' || data.source.form !== 'notice') continue
      const { plugin, summary } = data.source
      notices.push({ after: calls, plugin, summary, text: textOf(data.content) })
    }
    return notices
  }

  /** The results of the calls, in their order, as the model reads them. */
  get results() {
    const results = this.events.filter(({ type }) => type === 'tool/result')
    return results.flatMap(({ data }) =>
      data.message.content.map(({ content, isError }) => ({ text: textOf(content), isError: isError === true })),
    )
  }

  /** The notices of one guard, each as `after: summary`. */
  of(plugin) {
    return this.notices.filter((notice) => notice.plugin === plugin).map(({ after, summary }) => `${after}: ${summary}`)
  }
}

function message(text, source) {
  return llm.createUserMessage({ content: [{ type: 'text', text }], source })
}

function textOf(content) {
  return content.map((block) => block.text).join('\n')
}
