import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, bodyOf } from '../api.ts'
import { Button } from '../parts/button.tsx'
import { toast } from '../parts/toast.tsx'
import { usePerson } from './session.ts'
import { leave } from './session-end.ts'

// menus are a seventh of the first load, and nobody needs this one at once
const OpenMenu = lazy(async () => ({ default: (await import('../parts/menu.tsx')).OpenMenu }))

/** Ends the session of this browser. Nothing that the app has read stays in it. */
async function signOut(): Promise<void> {
  await bodyOf(api.POST('/api/v1/auth/logout'))
  sessionStorage.clear()
  leave('/login')
}

/** What concerns the person: their settings, the keys of the app, and the way out. */
export function AccountMenu({ onShortcuts }: { onShortcuts(): void }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { name } = usePerson()
  const button = useRef<HTMLButtonElement>(null)
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button
        ref={button}
        variant="quiet"
        icon="person"
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onPress={() => setIsOpen(true)}
      >
        {name}
      </Button>
      {isOpen && (
        <Suspense>
          <OpenMenu
            label={t('account.label')}
            trigger={button}
            onClose={() => setIsOpen(false)}
            actions={[
              {
                id: 'profile',
                label: t('account.profile'),
                icon: 'settings',
                onAction: () => void navigate({ to: '/app/settings' }),
              },
              {
                id: 'security',
                label: t('account.security'),
                icon: 'lock',
                onAction: () => void navigate({ to: '/app/settings/security' }),
              },
              { id: 'shortcuts', label: t('account.shortcuts'), icon: 'info', onAction: onShortcuts },
              {
                id: 'out',
                label: t('account.signOut'),
                icon: 'external',
                onAction: () => signOut().catch(toast.failure),
              },
            ]}
          />
        </Suspense>
      )}
    </>
  )
}
