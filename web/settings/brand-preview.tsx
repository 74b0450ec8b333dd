import { useTranslation } from 'react-i18next'
import type { Schemas } from '../api.ts'
import type { BrandDraft } from './branding.tsx'
import './brand-preview.css'

const isColor = (text: string) => /^#([\da-f]{3}|[\da-f]{6})$/i.test(text)

/** Whether white or black text is read better on a colour: relative luminance of WCAG 2.2. */
function textOn(color: string): string {
  const hex = color.length === 4 ? color.replaceAll(/[\da-f]/gi, '$&$&') : color
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map(at => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue
  return luminance > 0.179 ? '#000000' : '#ffffff'
}

/** A status page and a mail with the name, colours and footer that are being typed. */
export function BrandPreview({ draft, effective }: { draft: BrandDraft; effective: Schemas['EffectiveBranding'] }) {
  const { t } = useTranslation('settings')
  const name = draft.brand_name || effective.brand_name
  const color = (text: string, otherwise: string) => (isColor(text) ? text : otherwise)
  const first = color(draft.primary_color, effective.primary_color)
  const ground = { backgroundColor: first, color: textOn(first) }
  const prefix = draft.alert_prefix || effective.alert_prefix
  const footer = (
    <p className="brand-footer">
      {draft.footer_text || effective.footer_text}
      {!draft.hide_powered_by && <span> {t('branding.preview.powered')}</span>}
    </p>
  )
  return (
    <section className="card" aria-label={t('branding.preview')}>
      <h2>{t('branding.preview')}</h2>
      <div className="cards">
        <figure className="brand-sample">
          <figcaption className="soft">{t('branding.preview.page')}</figcaption>
          <div className="brand-head" style={ground}>
            <span className="brand-symbol">{name.slice(0, 1)}</span> {name}
          </div>
          <p className="brand-banner">{t('branding.preview.up')}</p>
          {footer}
        </figure>
        <figure className="brand-sample">
          <figcaption className="soft">{t('branding.preview.mail')}</figcaption>
          <p>
            <strong>{draft.notification_from_name || effective.notification_from_name || name}</strong>
            <br />
            {prefix && `${prefix} `}
            {t('branding.preview.subject')}
          </p>
          <p>
            <span className="brand-button" style={ground}>
              {t('branding.preview.button')}
            </span>
          </p>
          {footer}
        </figure>
      </div>
      <p className="soft">{t('branding.preview.pictures')}</p>
    </section>
  )
}
