// Tools that do what their names say, whatever their arguments.

/** `read` and `todo` succeed, `fails` throws, `both` may overlap. */
export function toolbox() {
  return [
    tool('read', () => 'contents'),
    tool('todo', () => 'noted'),
    tool('fails', () => {
      throw new Error('no such file')
    }),
    tool('denied', () => 'never'),
    tool('guarded', () => 'never'),
    tool('mcp_list', () => 'nothing'),
    tool('blocked', () => 'half done'),
    tool('both', () => 'contents', { isConcurrencySafe: () => true }),
  ]
}

/** A tool of any arguments that answers with a text. */
export function tool(name, answer, rest = {}) {
  return {
    name,
    description: name,
    parameters: { type: 'object' },
    output: { schema: { type: 'string' }, render: (_, text) => [{ type: 'text', text }] },
    execute: async (...given) => answer(...given),
    ...rest,
  }
}
