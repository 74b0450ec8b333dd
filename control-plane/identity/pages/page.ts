import type { PageTexts } from '#locales/texts.ts'

/** The texts of a page: `links` of `locales/LANGUAGE/pages.json`. */
export interface PageText {
  title: string
  says: string
  button: string
  done: string
  /**
   * Text from the answer of `lookupPath`, above `says`; `{name}` is a member of its data. Required with `lookupPath`.
   */
  shows?: string
  /** Shown in place of the form when the member `isDoneWhen` of the data is set. */
  already?: string
  /** Shown in place of the form, with a link, when the data has `sign_in_url`: another way is to be gone. */
  elsewhere?: { says: string; button: string }
  /** Display texts for values of a member of the data, such as `{role}`. */
  terms?: Readonly<Record<string, string>>
  /** Texts for refusals of the API by code; for other codes the page shows the API's message. */
  refusals?: Readonly<Record<string, string>>
}

interface Field {
  name: string
  type: 'text' | 'password'
  autocomplete: string
  isOptional?: boolean
  /** Who is asked: people with an account, without one, or when that is unknown. Left out: all three. */
  of?: readonly ('member' | 'newcomer' | 'unknown')[]
  text: keyof PageTexts['fields']
}

export interface FieldText {
  label: string
  /** The rule for the value, shown before it is typed. */
  hint?: string
}

/**
 * The page that a link in a mail opens: a form. The token is behind the `#`, so a server sees it only when it is
 * sent.
 */
export interface Page {
  path: keyof PageTexts['links']
  postsTo: string
  /** Mail programs send it in the query, forms in the body. */
  tokenIn: 'body' | 'query'
  /** The API path that describes the token before it is used. */
  lookupPath?: string
  /** A member of the data of `lookupPath` that is set once there is nothing left to do. */
  isDoneWhen?: string
  /** Whether the next step is to sign in. */
  leadsToSignIn?: boolean
  /** Whether the API has signed the person in. */
  opensSession?: boolean
  fields: readonly Field[]
}
