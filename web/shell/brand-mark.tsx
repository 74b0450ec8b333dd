import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isAllowed, useBrand } from './brand.ts'

/** The logo, or the symbol with the name, of the team's brand: leads to the overview. */
export function BrandMark() {
  const brand = useBrand()
  const [isBroken, setIsBroken] = useState(false)
  if (!brand) return <span className="brand" />
  const { brand_name: name, logo_url: logo, logo_url_dark: dark, symbol_letter: letter } = brand
  const hasLogo = logo !== null && !isBroken && isAllowed(logo)
  return (
    <Link to="/app" className="brand">
      {hasLogo ? (
        <picture>
          {dark !== null && isAllowed(dark) && <source srcSet={dark} media="(prefers-color-scheme: dark)" />}
          <img src={logo} alt={name} onError={() => setIsBroken(true)} />
        </picture>
      ) : (
        <>
          <span className="brand-letter" aria-hidden="true">
            {letter}
          </span>
          <span className="brand-name">{name}</span>
        </>
      )}
    </Link>
  )
}

/** Where the brand leads, and who made the product unless the team's plan hides it. */
export function BrandFoot() {
  const { t } = useTranslation()
  const brand = useBrand()
  if (!brand) return null
  const links = [
    { word: 'brand.support', url: brand.support_url },
    { word: 'brand.privacy', url: brand.privacy_url },
    { word: 'brand.imprint', url: brand.imprint_url },
  ]
  return (
    <p className="brand-foot">
      {links.map(
        ({ word, url }) =>
          url !== null &&
          isWeb(url) && (
            <a key={word} href={url} target="_blank" rel="noreferrer">
              {t(word)}
            </a>
          ),
      )}
      {!brand.hide_powered_by && brand.brand_name !== 'Vedette' && <span>{t('brand.poweredBy')}</span>}
    </p>
  )
}

const isWeb = (url: string) => /^(https?|mailto):/.test(url)
