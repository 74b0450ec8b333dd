import { useEffect, useState } from 'react'

const waitMs = 500

/** What is typed, once nothing was typed for a moment. */
export function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), waitMs)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
