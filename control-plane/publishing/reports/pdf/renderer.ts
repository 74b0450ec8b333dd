import { hash } from 'node:crypto'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import { RunExceeded, RunnerBusy } from '#bounded/errors.ts'
import { boundedProgram } from '#bounded/program.ts'
import type { BoundedRunner } from '#bounded/runner.ts'
import { Refusal } from '#control-plane/base/refusal.ts'
import { perServices } from '#control-plane/http/services.ts'
import type { RenderableDocument } from './document.ts'
import type { run } from './pdf-program.ts'

export interface RenderedPdf {
  bytes: Buffer
  etag: string
}

const rendering = boundedProgram<typeof run>({
  name: 'report_pdf',
  file: join(import.meta.dirname, 'pdf-program.ts'),
  queue: 'long',
  cpuMs: 20_000,
  wallMs: 60_000,
})

const kept = { bytes: 32_000_000, ms: 60_000 }

const late = () =>
  new Refusal(503, 'overloaded', 'This report could not be made in time. Send it again.', {
    headers: { 'Retry-After': '60' },
  })

/** Renders reports. The same content is rendered once and kept for a minute. */
export class PdfRenderer {
  readonly #bounded: Pick<BoundedRunner, 'run'>
  readonly #log: Pick<Logger, 'warn'>
  readonly #underWay = new Map<string, Promise<Buffer>>()
  readonly #kept = new LRUCache<string, Buffer>({
    ttl: kept.ms,
    maxSize: kept.bytes,
    sizeCalculation: pdf => pdf.length,
  })

  constructor({ bounded, log }: { bounded: Pick<BoundedRunner, 'run'>; log: Pick<Logger, 'warn'> }) {
    this.#bounded = bounded
    this.#log = log
  }

  /** 429 or 503 when too many reports wait, 503 when one takes too long. */
  async render(tenantId: string, document: RenderableDocument): Promise<RenderedPdf> {
    // the tenant is part of the key, so that no report is returned to another
    const key = hash('sha256', JSON.stringify([tenantId, document]), 'base64url')
    const bytes = this.#kept.get(key) ?? (await (this.#underWay.get(key) ?? this.#begin(key, tenantId, document)))
    return { bytes, etag: `"${key}"` }
  }

  #begin(key: string, tenantId: string, document: RenderableDocument): Promise<Buffer> {
    const rendered = this.#make(tenantId, document)
    this.#underWay.set(key, rendered)
    rendered
      .then(
        pdf => this.#kept.set(key, pdf),
        () => undefined,
      )
      .finally(() => this.#underWay.delete(key))
    return rendered
  }

  async #make(tenantId: string, document: RenderableDocument): Promise<Buffer> {
    try {
      return Buffer.from(await this.#bounded.run(rendering, document, tenantId))
    } catch (error) {
      if (!(error instanceof RunnerBusy))
        this.#log.warn({ err: error, tenant_id: tenantId }, 'report rendering failure')
      throw error instanceof RunExceeded ? late() : error
    }
  }
}

export const rendererOf = perServices(services => new PdfRenderer(services))
