type Values = Readonly<Record<string, string | number>>

/** Puts values into the `{places}` of a text. A place without a value stays. */
export const fill = (text: string, values: Values): string =>
  text.replace(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place))

/** What a refusal says: an English sentence of ours, which is the key of its translations. */
export type Text = string | Sentence

/** A sentence with values: the template with `{places}` is the key, and it is composed in the language of its reader. */
export class Sentence {
  readonly template: string
  readonly values: Values

  constructor(template: string, values: Values) {
    this.template = template
    this.values = values
  }

  /** In English. */
  toString(): string {
    return fill(this.template, this.values)
  }

  toJSON(): string {
    return this.toString()
  }
}
