import { Parser } from 'htmlparser2'

export interface MarkupEvents {
  open?(name: string, attributes: Readonly<Record<string, string>>): void
  /** `isImplied`: no tag said so, the parser had to assume it. */
  close?(name: string, isImplied: boolean): void
  text?(text: string): void
  /** `<?…>` and `<!…>`. */
  instruction?(text: string): void
}

/** Deeper than any page is nested; and each closing tag is looked for among all that are open. */
const maxDepth = 1_000
/** Of one tag: all of them are held in memory until it ends. */
const maxAttributes = 1_000

class Enough extends Error {}

/** Reads HTML or XML as it comes, once through and in one go: nothing is built of it, and no entity but the fixed ones is replaced. */
export class Markup {
  readonly #parser: Parser
  #depth = 0
  #attributes = 0
  #isOver = false
  #isHostile = false

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
        ontext: text => events.text?.(text),
        onprocessinginstruction: (_, text) => events.instruction?.(text),
      },
      { xmlMode: isXml },
    )
  }

  /** Whether it was given up before its end. */
  get isOver() {
    return this.#isOver
  }

  /** Whether it was given up because no page is made like this: nested or attributed without end. */
  get isHostile() {
    return this.#isHostile
  }

  #refuse(): never {
    this.#isHostile = true
    throw new Enough()
  }

  /** For those who have seen what they were looking for: call it from an event, nothing follows. */
  stop(): never {
    throw new Enough()
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
      if (!(error instanceof Enough)) throw error
      this.#isOver = true
    }
  }
}
