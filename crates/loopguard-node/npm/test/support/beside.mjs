// Our reminder beside the published one: the same words in the same places.

/** The id that the published reminder gives as its own. */
const PUBLISHED = 'repeat-tool-reminder'
/** Ours, where its row has no id. */
const OURS = 'repeat-tool-guard'

/** What our reminder said, without its name. */
export const ours = (said) => by(OURS, said)

/** What the published reminder said, without its name. */
export const theirs = (said) => by(PUBLISHED, said)

function by(name, { notices }) {
  return notices.filter(({ plugin }) => plugin === name).map(({ after, summary, text }) => ({ after, summary, text }))
}
