import type { PageModel } from '#control-plane/publishing/status-pages/render/model.ts'
import { pictureOf } from '#control-plane/publishing/status-pages/render/picture.ts'
import type { Locale } from '#control-plane/publishing/status-pages/values.ts'
import { PictureRenderer } from './renderer.ts'

export interface PagePictures {
  /** The picture of a page as PNG. Rejects where it cannot be drawn now. */
  draw(page: PageModel, language: Locale): Promise<Buffer>
  close(): void
}

/** Loads a logo as a data URL; null: it cannot be had. */
type LoadLogo = (url: string | null) => Promise<string | null>

/** Without `loadLogo`, pictures bear the name in place of the logo. So do those whose logo cannot be drawn. */
export function pagePictures(loadLogo: LoadLogo = async () => null): PagePictures {
  const renderer = new PictureRenderer()
  return {
    async draw(page, language) {
      const logo = await loadLogo(page.brand.logoUrl)
      const plain = () => renderer.draw(pictureOf(page, language, null))
      return logo === null ? plain() : renderer.draw(pictureOf(page, language, logo)).catch(plain)
    },
    close: () => renderer.close(),
  }
}
