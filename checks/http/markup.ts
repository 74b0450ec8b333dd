import { Parser } from 'htmlparser2'

export interface MarkupEvents {
  open?(name: string, attributes: Readonly<Record<string, string>>): void
  /** `isImplied`: there was no such tag; the parser assumed it. */
  close?(name: string, isImplied: boolean): void
  text?(text: string): void
  /** `<?…>` and `<!…>`. */
  instruction?(text: string): void
  /** An `&` in a text that begins no predefined entity: XML forbids it. */
  unescaped?(): void
}

/** Deeper than real pages; each closing tag is searched among all open ones. */
const maxDepth = 1_000
/** Most attributes of a tag: all are kept in memory until the tag ends. */
const maxAttributes = 1_000

class StopParsing extends Error {}

/** Parses HTML or XML in one streaming pass: builds no tree, and replaces only the predefined entities. */
export class Markup {
  readonly #parser: Parser
  #depth = 0
  #attributes = 0
  #isOver = false
  #isHostile = false
  #isVerbatim = false

  constructor(events: MarkupEvents, { isXml }: { isXml: boolean }) {
    this.#parser = new Parser(
      {
        onopentagname: () => {
          this.#attributes = 0
        },
        onattribute: () => {
          if (++this.#attributes > maxAttributes) this.#refuse()
        },
        onopentag: (name, attributes) => {
          this.#depth++
          if (this.#depth > maxDepth) this.#refuse()
          events.open?.(name, attributes)
        },
        onclosetag: (name, isImplied) => {
          this.#depth--
          events.close?.(name, isImplied)
        },
        ontext: text => {
          // a replaced entity is longer in the source than in the text
          const isWritten = this.#parser.endIndex - this.#parser.startIndex < text.length
          if (isWritten && !this.#isVerbatim && text.includes('&')) events.unescaped?.()
          events.text?.(text)
        },
        oncdatastart: () => {
          this.#isVerbatim = true
        },
        oncdataend: () => {
          this.#isVerbatim = false
        },
        onprocessinginstruction: (_, text) => events.instruction?.(text),
      },
      { xmlMode: isXml },
    )
  }

  /** Whether parsing stopped before the end. */
  get isOver() {
    return this.#isOver
  }

  /** Whether parsing stopped because of excessive nesting or attributes. */
  get isHostile() {
    return this.#isHostile
  }

  #refuse(): never {
    this.#isHostile = true
    throw new StopParsing()
  }

  /** Stops parsing; call it from an event handler, no event follows. */
  stop(): never {
    throw new StopParsing()
  }

  write(text: string): void {
    this.#try(() => this.#parser.write(text))
  }

  end(): void {
    this.#try(() => this.#parser.end())
  }

  #try(step: () => void) {
    if (this.#isOver) return
    try {
      step()
    } catch (error) {
      if (!(error instanceof StopParsing)) throw error
      this.#isOver = true
    }
  }
}
