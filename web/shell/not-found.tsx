import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'

export function NotFound() {
  const { t } = useTranslation()
  return (
    <main className="page">
      <h1>{t('notFound.title')}</h1>
      <p>
        <Link to="/app">{t('notFound.home')}</Link>
      </p>
    </main>
  )
}
