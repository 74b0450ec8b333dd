import type { BoundedRunner } from '#bounded/runner.ts'
import type { PageModel } from '#control-plane/publishing/status-pages/render/model.ts'
import { pictureOf } from '#control-plane/publishing/status-pages/render/picture.ts'
import type { Language } from '#locales/languages.ts'
import { PictureRenderer } from './renderer.ts'

/** Draws the picture of a page as PNG. Rejects where it cannot be drawn now. */
export type DrawPicture = (page: PageModel, language: Language) => Promise<Buffer>

/** Loads a logo as a data URL; null: it cannot be had. */
type LoadLogo = (url: string | null) => Promise<string | null>

/** Without `loadLogo`, pictures bear the name in place of the logo. So do those whose logo cannot be drawn. */
export function pagePictures(bounded: Pick<BoundedRunner, 'run'>, loadLogo: LoadLogo = async () => null): DrawPicture {
  const renderer = new PictureRenderer(bounded)
  return async (page, language) => {
    const logo = await loadLogo(page.brand.logoUrl)
    const plain = () => renderer.draw(page.id, pictureOf(page, language, null))
    return logo === null ? plain() : renderer.draw(page.id, pictureOf(page, language, logo)).catch(plain)
  }
}
