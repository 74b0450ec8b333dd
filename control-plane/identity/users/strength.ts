import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common'

/** The time to rate a password grows faster than its length; what this much cannot make strong, more of the same does not. */
const ratedCharacters = 40
const enough = 3

const rater = new ZxcvbnFactory({
  dictionary,
  graphs: adjacencyGraphs,
  maxLength: ratedCharacters,
  l33tMaxSubstitutions: 8,
})

/** Whether someone who knows `words` about the owner guesses this soon: a score below 3 of 4. */
export const isGuessable = (password: string, words: readonly string[]) =>
  rater.check(
    [...password].slice(0, ratedCharacters).join(''),
    words.slice(0, 20).map(word => word.slice(0, 100)),
  ).score < enough
