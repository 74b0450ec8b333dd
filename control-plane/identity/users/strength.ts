import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common'

/** Only these first characters are rated, because the time for it grows faster than the length. */
const ratedCharacters = 40
const enough = 3

const rater = new ZxcvbnFactory({
  dictionary,
  graphs: adjacencyGraphs,
  maxLength: ratedCharacters,
  l33tMaxSubstitutions: 8,
})

/** Whether an attacker who knows `words` could guess this: a score below 3 of 4. */
export const isGuessable = (password: string, words: readonly string[]) =>
  rater.check(
    [...password].slice(0, ratedCharacters).join(''),
    words.slice(0, 20).map(word => word.slice(0, 100)),
  ).score < enough
