import { Button } from '../parts/button.tsx'
import { Menu } from '../parts/menu.tsx'
import { toast } from '../parts/toast.tsx'

export interface Action {
  id: string
  label: string
  act(): unknown
  isDanger?: boolean
}

/** What can be done with a row, behind one button. A failure is said. */
export function Actions({ label, actions }: { label: string; actions: readonly Action[] }) {
  const perform = async ({ act }: Action) => {
    try {
      await act()
    } catch (error) {
      toast.failure(error as Error)
    }
  }
  return (
    <Menu
      label={label}
      trigger={<Button variant="quiet" icon="more" aria-label={label} />}
      actions={actions.map(({ act, ...action }) => ({ ...action, onAction: () => void perform({ act, ...action }) }))}
    />
  )
}
