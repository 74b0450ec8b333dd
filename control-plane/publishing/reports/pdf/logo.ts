import { imageSize } from 'image-size'
import { LRUCache } from 'lru-cache'
import { perServices } from '#control-plane/http/services.ts'
import { fetchStart } from '#egress/fetch-start.ts'
import type { Guard } from '#egress/guard.ts'

export const maxLogoBytes = 262_144
/** An image is unpacked to four bytes a pixel. */
export const maxLogoPixels = 2_000_000
const timeoutMs = 3_000
const keptMs = { found: 600_000, missing: 60_000 }

const types: Record<string, string> = { png: 'image/png', jpg: 'image/jpeg' }

/** The image as a data URL; null unless it is a PNG or a JPEG of a moderate size. */
export function logoOf(bytes: Uint8Array): string | null {
  if (bytes.length > maxLogoBytes) return null
  try {
    const { type = '', width, height } = imageSize(bytes)
    const mime = types[type]
    return mime === undefined || width * height > maxLogoPixels
      ? null
      : `data:${mime};base64,${Buffer.from(bytes).toString('base64')}`
  } catch {
    return null
  }
}

/** Loads logos through the guard, and keeps them for ten minutes. A logo that cannot be had is null. */
export class Logos {
  readonly #guard: Guard
  readonly #known = new LRUCache<string, Promise<string | null>>({ max: 100 })

  constructor({ guard }: { guard: Guard }) {
    this.#guard = guard
  }

  load(url: string | null): Promise<string | null> {
    if (url === null) return Promise.resolve(null)
    const known = this.#known.get(url)
    if (known) return known
    const loading = this.#fetch(url)
    this.#known.set(url, loading, { ttl: keptMs.found })
    void loading.then(logo => {
      if (logo === null) this.#known.set(url, loading, { ttl: keptMs.missing })
    })
    return loading
  }

  async #fetch(url: string): Promise<string | null> {
    if (!URL.canParse(url)) return null
    // one byte more than allowed shows that it is too large
    const bytes = await fetchStart(this.#guard, url, { maxBytes: maxLogoBytes + 1, timeoutMs })
    return bytes === null ? null : logoOf(bytes)
  }
}

export const logosOf = perServices(services => new Logos(services))
