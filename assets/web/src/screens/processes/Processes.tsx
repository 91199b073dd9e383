export default function Processes() {
  return <p>Processes</p>;
}
