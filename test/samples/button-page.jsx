/** Mounts the React sample. */
import { createRoot } from 'react-dom/client'
import { CallButton } from '../../samples/button/call-button.jsx'

createRoot(document.getElementById('root')).render(<CallButton number="+55 48 99999-0103" />)
