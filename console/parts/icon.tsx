/** The icons of the console: strokes on a grid of 24. */
const paths = {
  open: 'M12 4.500a7.500 7.500 0 1 0 0 15 7.500 7.500 0 0 0 0-15',
  home: 'M4 11.5 12 5l8 6.500M6.500 10v9h11v-9',
  calls:
    'M5 4h4l2 5-2.500 1.500a11 11 0 0 0 5 5L15 13l5 2v4a1.500 1.500 0 0 1-1.600 1.500A16 16 0 0 1 3.500 5.600 1.500 1.500 0 0 1 5 4',
  live: 'M12 12h.01M8.500 15.500a5 5 0 0 1 0-7M15.500 8.500a5 5 0 0 1 0 7M5.600 18.400a9 9 0 0 1 0-12.800M18.400 5.600a9 9 0 0 1 0 12.800',
  phone:
    'M8 3h8a1.500 1.500 0 0 1 1.500 1.500v15A1.500 1.500 0 0 1 16 21H8a1.500 1.500 0 0 1-1.500-1.500v-15A1.500 1.500 0 0 1 8 3M11 18h2',
  reports: 'M5 20V10M10 20V4M15 20v-7M20 20v-4',
  extensions: 'M7 3h10v18H7zM10 7h4M10 11h.01M14 11h.01M10 15h.01M14 15h.01',
  users:
    'M9 11a3.500 3.500 0 1 0 0-7 3.500 3.500 0 0 0 0 7M2.500 20c.5-3.500 3-5.500 6.500-5.500s6 2 6.500 5.500M16 4.500a3.500 3.500 0 0 1 0 6.500M18 15c2 .7 3.200 2.500 3.500 5',
  integrations: 'M9 7V3M15 7V3M6 7h12v4a6 6 0 0 1-12 0zM12 17v4',
  tokens: 'M15 9a4 4 0 1 1-3.600-4M11.500 12.500 4 20v-3M7 17l2 2M15 9h.01',
  api: 'm8 8-4 4 4 4M16 8l4 4-4 4M13.500 5l-3 14',
  credit: 'M3 7h18v11H3zM3 11h18M7 15h3',
  fiscal: 'M6 3h9l4 4v14H6zM14 3v5h5M9 13h7M9 17h5',
  numbers: 'M9 4 7 20M17 4l-2 16M4 9h16M3 15h16',
  audit: 'M12 3 5 6v5c0 5 3 8 7 10 4-2 7-5 7-10V6zM9 12l2 2 4-4',
  settings: 'M4 7h9M17 7h3M4 17h3M11 17h9M13 7a2 2 0 1 0 4 0 2 2 0 0 0-4 0M7 17a2 2 0 1 0 4 0 2 2 0 0 0-4 0',
  profile: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8M4 21c.7-4 3.700-6 8-6s7.300 2 8 6',
  more: 'M5 12h.01M12 12h.01M19 12h.01',
  close: 'M6 6l12 12M18 6 6 18',
  plus: 'M12 5v14M5 12h14',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  check: 'm5 12.500 4.500 4.500L19 7',
  download: 'M12 4v11M7 10.500l5 5 5-5M5 20h14',
  play: 'M8 5v14l11-7z',
  pause: 'M8 5v14M16 5v14',
  hangup: 'M3 14c5-5 13-5 18 0l-2.500 3-4-1.500v-2.700a11 11 0 0 0-5 0v2.700l-4 1.500z',
  mute: 'M9 6a3 3 0 0 1 6 0v5M15 14a3 3 0 0 1-6-2V9M5.500 11.500a6.500 6.500 0 0 0 11 4.600M12 18v3M4 4l16 16',
  microphone:
    'M12 3a3 3 0 0 0-3 3v5a3 3 0 0 0 6 0V6a3 3 0 0 0-3-3M5.500 11.500a6.500 6.500 0 0 0 13 0M12 18v3',
  hold: 'M9 5v14M15 5v14',
  keypad: 'M6 6h.01M12 6h.01M18 6h.01M6 12h.01M12 12h.01M18 12h.01M6 18h.01M12 18h.01M18 18h.01',
  warning: 'M12 4 2.500 20h19zM12 10v4M12 17h.01',
  search: 'M11 17a6 6 0 1 0 0-12 6 6 0 0 0 0 12M16 16l4 4',
  refresh: 'M20 11a8 8 0 1 0-2 6M20 5v6h-6',
  trash: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13',
  edit: 'M4 20h4L19 9l-4-4L4 16zM13 7l4 4',
  in: 'M19 5 6 18M6 9v9h9',
  out: 'M5 19 18 6M9 6h9v9',
  inside: 'M4 9h14l-4-4M20 15H6l4 4',
  recording: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18',
  signout: 'M14 5H6v14h8M11 12h9M16 8l4 4-4 4',
  sun: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8M12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.500 1.500M17.500 17.500 19 19M19 5l-1.500 1.500M6.500 17.500 5 19',
} as const

export type IconName = keyof typeof paths

export function Icon({ name }: { name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  )
}
