/** A plugin of the DeepSeek Harness. */

/** The plugin's name, for the harness's own messages. */
export const name: string

/**
 * Puts the guard into the pipeline of `ctx`, for as long as `ctx` lives.
 *
 * @param config the keys of the guard; for `loopguard-node/set`, `{ rows }` with rows of guards.
 * @throws where the configuration is wrong, with all that is wrong with it.
 */
export function apply(ctx: unknown, config?: unknown): void
