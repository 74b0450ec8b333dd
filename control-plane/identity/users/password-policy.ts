import { Sentence, type Text } from '#contract/sentence.ts'
import { type FieldErrors, invalid } from '#control-plane/base/refusal.ts'
import type { Services } from '#control-plane/http/services.ts'
import { isBreached } from './breached.ts'
import { normalisePassword } from './password.ts'
import { isGuessable } from './strength.ts'

export const passwordLimits = { min: 12, max: 1_000 }

/** Shorter words occur in good passwords by chance. */
const shortestWord = 4

/**
 * Refuses, as a 422 on `field`, a password that is short, easy to guess, known from a breach,
 * or made of public data about its owner: `words` are the names of team, brand and person, and the e-mail address.
 */
export async function refuseWeakPassword(
  services: Pick<Services, 'config' | 'guard' | 'log' | 'clock'>,
  field: string,
  password: string,
  words: readonly string[],
): Promise<void> {
  const refuse = (why: Text, code: string) => invalid({ [field]: [why] } satisfies FieldErrors, code)
  const text = normalisePassword(password)
  const length = [...text].length
  if (length < passwordLimits.min)
    throw refuse(new Sentence('Must have at least {n} characters.', { n: passwordLimits.min }), 'password_short')
  if (password.length > passwordLimits.max || length > passwordLimits.max)
    throw refuse(`Must have at most ${passwordLimits.max} characters.`, 'password_long')
  const parts = wordsOf(words)
  if (holdsWord(text, parts))
    throw refuse(
      'Must not contain the name of the team or the brand, or the name or e-mail address of its owner.',
      'password_context',
    )
  if (isGuessable(text, parts))
    throw refuse('Is too easy to guess. A few unrelated words make a good password.', 'password_weak')
  if (await isBreached(services, text === password ? [text] : [text, password]))
    throw refuse('Is known from a breach elsewhere. Choose one that is used nowhere else.', 'password_breached')
}

const fold = (text: string) => text.normalize('NFKC').toLowerCase()
const lettersAndDigits = (text: string) => fold(text).replace(/[^\p{L}\p{N}]+/gu, '')

/** The last label of an address is not specific to its owner. */
const topLevel = /\.[^.@]+$/

/** The parts of names and addresses, and each name as one word. */
function wordsOf(given: readonly string[]): string[] {
  const names = given.map(text => (text.includes('@') ? text.replace(topLevel, '') : text))
  const parts = names.flatMap(name => fold(name).split(/[^\p{L}\p{N}]+/u))
  return [...new Set([...parts, ...names.map(lettersAndDigits)])].filter(word => [...word].length >= shortestWord)
}

function holdsWord(text: string, words: readonly string[]): boolean {
  const [folded, bare] = [fold(text), lettersAndDigits(text)]
  return words.some(word => folded.includes(word) || bare.includes(word))
}
