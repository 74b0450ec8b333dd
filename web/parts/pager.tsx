import { useTranslation } from 'react-i18next'
import { number } from '../../contract/figures.ts'
import type { Schemas } from '../api.ts'
import { Button } from './button.tsx'
import './pager.css'

/** For lists with pages of numbers. Nothing is shown where there is one page. */
export function Pager({ meta, onPage }: { meta: Schemas['OffsetMeta']; onPage(page: number): void }) {
  const { t, i18n } = useTranslation('parts')
  const { current_page: page, last_page: last, per_page: each, total } = meta
  if (last <= 1 && page <= 1) return null
  const first = (page - 1) * each + 1
  return (
    <nav className="pager" aria-label={t('pager.label')}>
      <span className="soft">
        {t('pager.of', {
          first: number(Math.min(first, total), i18n.language),
          last: number(Math.min(page * each, total), i18n.language),
          total: number(total, i18n.language),
        })}
      </span>
      <Button icon="back" isDisabled={page <= 1} onPress={() => onPage(page - 1)}>
        {t('pager.before')}
      </Button>
      <Button icon="chevronRight" isDisabled={page >= last} onPress={() => onPage(page + 1)}>
        {t('pager.next')}
      </Button>
    </nav>
  )
}

/** For lists that go on at a cursor; null is the beginning. */
export function CursorPager({
  meta,
  onCursor,
}: {
  meta: Schemas['CursorMeta']
  onCursor(cursor: string | null): void
}) {
  const { t } = useTranslation('parts')
  if (meta.prev_cursor === null && !meta.has_more) return null
  return (
    <nav className="pager" aria-label={t('pager.label')}>
      <Button icon="back" isDisabled={meta.prev_cursor === null} onPress={() => onCursor(meta.prev_cursor)}>
        {t('pager.before')}
      </Button>
      <Button
        icon="chevronRight"
        isDisabled={!meta.has_more || meta.next_cursor === null}
        onPress={() => onCursor(meta.next_cursor)}
      >
        {t('pager.next')}
      </Button>
    </nav>
  )
}
