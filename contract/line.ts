import { z } from 'zod'

/** Characters that change the direction of the following text. */
const turning = '\\u202a-\\u202e\\u2066-\\u2069'
/** Control characters, line ends, and characters that change the direction of the following text. */
const misleading = new RegExp(`[\\p{Cc}\\p{Zl}\\p{Zp}${turning}]`, 'u')
/** In text of many lines: control characters but for tabs and line ends. */
const misleadingInText = new RegExp(`(?![\\t\\n\\r])[\\p{Cc}${turning}]`, 'u')

/**
 * Characters that are not seen. Not among them: joiners and marks of direction, which scripts need, and selectors of
 * variants, as of emoji. Tags are part of the flags of regions and of nothing else.
 */
const invisible =
  /[\p{Default_Ignorable_Code_Point}--[\u061c\u200c-\u200f\u202a-\u202e\u2066-\u2069\ufe00-\ufe0f\u{e0100}-\u{e01ef}]]/v
const softHyphen = '\u00ad'
const flagOfRegion = /\u{1f3f4}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{1,8}\u{e007f}/gu
/** A joiner between Latin letters or digits, at an end, or beside another, joins nothing. */
const idleJoiner = /(?:^|[\s\w\u200c\u200d])[\u200c\u200d]|[\u200c\u200d](?:$|[\s\w])/
/** More marks on one letter than any script has: they cover the lines above and below. */
const piledMarks = /\p{M}{9}/u

/** The first character of a text that is not seen, or that piles up, as `U+200B`; null: there is none. */
function unseenIn(text: string): string | null {
  const found =
    invisible.exec(text.replace(flagOfRegion, ''))?.[0] ??
    /[\u200c\u200d]/.exec(idleJoiner.exec(text)?.[0] ?? '')?.[0] ??
    piledMarks.exec(text)?.[0]
  const code = found?.codePointAt(0)
  return code === undefined ? null : `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
}

const visible = (text: string, context: z.core.$RefinementCtx, ignored = ''): void => {
  const code = unseenIn(ignored === '' ? text : text.replaceAll(ignored, ''))
  if (code !== null)
    context.addIssue({
      code: 'custom',
      message: 'Must not have characters that are not seen ({code}).',
      params: { code },
    })
}

/** A name or other text of one line, trimmed: it is shown in lists, in mails and in their headers. */
export const line = (max: number, min = 1) =>
  z
    .string()
    .refine(text => !misleading.test(text), 'Must be one line of text, without control characters.')
    .superRefine((text, context) => visible(text, context))
    .trim()
    .min(min)
    .max(max)

/** A text of any number of lines, trimmed: it is shown to others, on pages and in mails. */
export const text = (max: number, min = 0) =>
  z
    .string()
    .refine(
      given => !misleadingInText.test(given),
      'Must not have control characters, or ones that change the direction of the text.',
    )
    .superRefine((given, context) => visible(given, context, softHyphen))
    .trim()
    .min(min)
    .max(max)

/** A text of others as `text` takes it, without what it refuses. */
export const plainText = (given: string): string =>
  given
    .replaceAll(new RegExp(misleadingInText, 'gu'), '')
    .replaceAll(flagOfRegion, '🏴')
    .replaceAll(new RegExp(invisible, 'gv'), '')
    .replaceAll(/(?<=^|[\s\w\u200c\u200d])[\u200c\u200d]+|[\u200c\u200d]+(?=$|[\s\w])/g, '')
    .replaceAll(/(\p{M}{8})\p{M}+/gu, '$1')
