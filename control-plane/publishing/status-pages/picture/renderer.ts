import { hash } from 'node:crypto'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import { boundedProgram } from '#bounded/program.ts'
import type { BoundedRunner } from '#bounded/runner.ts'
import type { run } from './picture-program.ts'

const keptBytes = 16_000_000

const drawing = boundedProgram<typeof run>({
  name: 'page_picture',
  file: join(import.meta.dirname, 'picture-program.ts'),
  queue: 'long',
  cpuMs: 8_000,
  wallMs: 30_000,
})

/** Draws SVG as PNG. The same drawing is made once. */
export class PictureRenderer {
  readonly #bounded: Pick<BoundedRunner, 'run'>
  readonly #kept = new LRUCache<string, Buffer>({ maxSize: keptBytes, sizeCalculation: png => png.length })
  readonly #underWay = new Map<string, Promise<Buffer>>()

  constructor(bounded: Pick<BoundedRunner, 'run'>) {
    this.#bounded = bounded
  }

  /** Rejects where it cannot be drawn, takes too long, or too many wait. `pageId`: pages take turns. */
  async draw(pageId: string, svg: string): Promise<Buffer> {
    const key = hash('sha256', svg, 'base64url')
    return this.#kept.get(key) ?? this.#underWay.get(key) ?? this.#begin(key, pageId, svg)
  }

  #begin(key: string, pageId: string, svg: string): Promise<Buffer> {
    const drawn = this.#bounded.run(drawing, svg, pageId).then(png => Buffer.from(png))
    this.#underWay.set(key, drawn)
    drawn
      .then(
        png => this.#kept.set(key, png),
        () => undefined,
      )
      .finally(() => this.#underWay.delete(key))
    return drawn
  }
}
