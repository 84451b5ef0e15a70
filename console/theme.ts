/** Light, dark, or as the system is. */
export type Theme = 'auto' | 'light' | 'dark'

const key = 'ramal.theme'

export function readTheme(): Theme {
  const kept = localStorage.getItem(key)
  return kept === 'light' || kept === 'dark' ? kept : 'auto'
}

export function setTheme(theme: Theme) {
  localStorage.setItem(key, theme)
  applyTheme()
}

export function applyTheme() {
  const theme = readTheme()
  if (theme === 'auto') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
}
