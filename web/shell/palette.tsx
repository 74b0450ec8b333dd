import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useDeferredValue, useState } from 'react'
import { Autocomplete, Input, Label, Menu, MenuItem, SearchField } from 'react-aria-components'
import { useTranslation } from 'react-i18next'
import { api, bodyOf } from '../api.ts'
import { Dialog } from '../parts/dialog.tsx'
import { useIsShown } from '../parts/feature.tsx'
import { Icon, type IconName } from '../parts/icons.tsx'
import { actingIn } from './acting.ts'
import { areas } from './areas.ts'
import { useMay } from './may.ts'
import { usePerson } from './session.ts'
import '../parts/menu.css'

interface Place {
  href: string
  label: string
  icon: IconName
  says?: string
}

/** Areas and monitors by their names: typed, chosen with the arrows, opened with Enter. */
export function Palette({ isOpen, onClose }: { isOpen: boolean; onClose(): void }) {
  const { t } = useTranslation()
  return (
    <Dialog title={t('palette.title')} isOpen={isOpen} onOpenChange={isStill => !isStill && onClose()}>
      {() => <Search onClose={onClose} />}
    </Dialog>
  )
}

function Search({ onClose }: { onClose(): void }) {
  const { t } = useTranslation()
  const router = useRouter()
  const [text, setText] = useState('')
  const places = usePlaces(useDeferredValue(text.trim()))
  const go = (href: string) => {
    onClose()
    void router.navigate({ href })
  }
  return (
    <Autocomplete inputValue={text} onInputChange={setText}>
      <SearchField className="field" autoFocus>
        <Label className="field-label">{t('palette.label')}</Label>
        <Input className="field-box" />
      </SearchField>
      <Menu
        className="choices palette"
        aria-label={t('palette.places')}
        items={places}
        onAction={href => go(String(href))}
        renderEmptyState={() => <p className="soft">{t('palette.none')}</p>}
      >
        {({ href, label, icon, says }) => (
          <MenuItem id={href} textValue={label} className="choice menu-item">
            <Icon name={icon} />
            <span>
              {label} {says !== undefined && <small className="soft">{says}</small>}
            </span>
          </MenuItem>
        )}
      </Menu>
    </Autocomplete>
  )
}

function usePlaces(text: string): Place[] {
  const { t } = useTranslation()
  const { isReseller, isOperator } = usePerson()
  const { administers } = useMay()
  const isShown = useIsShown()
  const mayLeave = actingIn() === null
  const { data: monitors = [] } = useQuery({
    queryKey: ['monitors', 'palette', text],
    queryFn: async ({ signal }) =>
      (await bodyOf(api.GET('/api/v1/monitors', { params: { query: { search: text, per_page: 8 } }, signal }))).data,
    enabled: text !== '',
    placeholderData: before => before ?? [],
  })
  const pages = [
    ...areas.flatMap(group => group.areas).filter(({ feature }) => isShown(feature)),
    ...(mayLeave && isReseller && administers ? [{ to: '/console', word: 'nav.console' }] : []),
    ...(mayLeave && isOperator ? [{ to: '/ops', word: 'nav.ops' }] : []),
  ].map(({ to, word }): Place => ({ href: to, label: t(word), icon: 'page' }))
  const asked = text.toLocaleLowerCase()
  return [
    ...pages.filter(({ label }) => label.toLocaleLowerCase().includes(asked)),
    ...(text === '' ? [] : monitors).map(
      ({ id, name, url }): Place => ({ href: `/app/monitors/${id}`, label: name, icon: 'monitor', says: url }),
    ),
  ]
}
